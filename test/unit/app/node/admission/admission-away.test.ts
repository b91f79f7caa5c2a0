import { describe, expect, test } from "bun:test";
import { positionAt } from "#engine/state/index.ts";
import type { SlowValidation } from "#services/admission/slow-validation.ts";
import { client } from "#test/helpers/admission-client.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

describe("while admission is away", () => {
  test("what is asked waits, and is asked with what the main thread has seen then", () => {
    const { admission, gate, thread } = client();
    admission.hold();
    void admission.find(1n);
    expect(thread.sent).toEqual([]);
    gate.reset(2);
    admission.release();
    expect(thread.sent).toMatchObject([{ kind: "find", hash: 1n, position: positionAt(2) }]);
    void admission.find(2n);
    expect(thread.sent).toHaveLength(2);
  });

  test("what was asked before is answered: it never will be otherwise", async () => {
    const { admission, thread } = client();
    const asked = [
      admission.submit(emptyInvoke(1n, 0n)),
      admission.submitDeclared(new Uint8Array(1), {
        contractClass: new Uint8Array(),
        casmJson: null,
      }),
      admission.judge(new Uint8Array(1), 1),
      admission.find(1n),
      admission.rejectionOf(1n),
      admission.list(0, 1),
      admission.drop(1n),
    ] as const;
    expect(thread.sent).toHaveLength(asked.length);
    admission.interrupt();
    const refused = { code: "UNEXPECTED_ERROR", reason: expect.stringContaining("send it again") };
    expect(await Promise.all(asked)).toMatchObject([
      refused,
      refused,
      refused,
      undefined,
      undefined,
      { waiting: 0, inFlight: 0, transactions: [] },
      "unknown",
    ] as unknown as unknown[]);
  });

  test("a long validation that ends then is not handed on", async () => {
    const { admission, reply, slow, thread } = client();
    void admission.submit(emptyInvoke(1n, 0n));
    reply(5, { kind: "slow", id: 0, bytes: new Uint8Array(1), senderIsToBeDeployed: false });
    await Bun.sleep(0);
    admission.interrupt();
    slow[0]?.({ kind: "validated", prevalidated: null } as unknown as SlowValidation);
    await Bun.sleep(0);
    expect(thread.sent).toHaveLength(1);
  });
});
