import { describe, expect, test } from "bun:test";
import { positionAt } from "#engine/state/index.ts";
import type { SlowValidation } from "#services/admission/slow-validation.ts";
import type { ToValidator } from "#services/admission/index.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { client } from "#test/helpers/admission-client.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

describe("admission while its thread is away", () => {
  test("queues requests and sends them with the main thread's position at release", () => {
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

  test("keeps queued requests through a second hold", () => {
    const { admission, thread } = client();
    admission.hold();
    void admission.find(1n);
    admission.hold();
    admission.release();
    expect(thread.sent).toMatchObject([{ kind: "find", hash: 1n }]);
  });

  test("queues requests to validators too, and sends other requests to admission only", async () => {
    const [validator, other] = [fakePort<never, ToValidator>(), fakePort<never, ToValidator>()];
    const { admission, gate, thread, reply } = client([validator, other]);
    admission.hold();
    const outcome = admission.submit(emptyInvoke(2n, 0n), CLIENT);
    expect(validator.sent).toEqual([]);
    gate.reset(2);
    admission.release();
    void admission.find(1n);
    expect(validator.sent).toMatchObject([{ kind: "submit", position: positionAt(2) }]);
    expect([other.sent, thread.sent.map(({ kind }) => kind)]).toEqual([[], ["find"]]);
    const accepted = { kind: "accepted", transactionHash: 7n } as const;
    const [submitted] = validator.sent;
    reply(2, { kind: "submitted", outcomes: [{ id: submitted?.id ?? -1, outcome: accepted }] });
    expect(await outcome).toEqual(accepted);
  });

  test("rejects submissions sent before an interrupt, which admission will never answer", async () => {
    const { admission, thread } = client();
    const asked = [
      admission.submit(emptyInvoke(1n, 0n), CLIENT),
      admission.submitDeclared(new Uint8Array(1), {
        contractClass: new Uint8Array(),
        casmJson: null,
      }),
      admission.judge(new Uint8Array(1), 1),
      admission.flush({}),
    ] as const;
    expect(thread.sent).toHaveLength(asked.length);
    admission.interrupt();
    const refused = { code: "UNEXPECTED_ERROR", reason: expect.stringContaining("send it again") };
    expect(await Promise.all(asked)).toMatchObject([
      refused,
      refused,
      refused,
      undefined,
    ] as unknown as unknown[]);
  });

  test("asks clients to resubmit unsent transactions when it closes", async () => {
    const { admission, thread } = client();
    const sent = Array.from({ length: 100 }, (_, i) =>
      admission.submit(emptyInvoke(1n, BigInt(i)), CLIENT),
    );
    const handedOut = thread.sent.length;
    expect(handedOut).toBeLessThan(sent.length);
    admission.hold();
    admission.interrupt();
    admission.close();
    for (const answer of [...sent, admission.submit(emptyInvoke(1n, 100n), CLIENT)]) {
      expect(await answer).toMatchObject({ kind: "rejected", retryAfterSeconds: 1 });
    }
    expect(thread.sent).toHaveLength(handedOut);
  });

  test("resends earlier requests after a release, and resolves each once", async () => {
    const { admission, reply, thread } = client();
    const asked = [
      admission.find(1n),
      admission.rejectionOf(1n),
      admission.list(0, 1),
      admission.drop(1n),
    ] as const;
    const first = thread.sent.splice(0);
    admission.hold();
    admission.interrupt();
    expect(thread.sent).toEqual([]);
    admission.release();
    expect(thread.sent).toEqual(first);
    const listing = { waiting: 3, ahead: 0, inFlight: 0, transactions: [] };
    const [find, rejection, list, drop] = first.map((message) =>
      "id" in message ? message.id : -1,
    );
    reply(5, { kind: "found", id: find ?? -1, bytes: null, isInFlight: false, isAhead: false });
    reply(5, { kind: "rejectionFound", id: rejection ?? -1, reason: "why" });
    reply(5, { kind: "listed", id: list ?? -1, listing });
    reply(5, { kind: "dropped", id: drop ?? -1, outcome: "dropped" });
    expect(await Promise.all(asked)).toEqual([undefined, "why", listing, "dropped"]);
  });

  test("does not submit a transaction whose slow validation ends after an interrupt", async () => {
    const { admission, reply, slow, thread } = client();
    void admission.submit(emptyInvoke(1n, 0n), CLIENT);
    reply(5, { kind: "slow", id: 0, bytes: new Uint8Array(1), isSenderUndeployed: false });
    await Bun.sleep(0);
    admission.interrupt();
    expect(slow).toHaveLength(1);
    slow[0]?.({ kind: "valid", prevalidated: null } as unknown as SlowValidation);
    await Bun.sleep(0);
    expect(thread.sent).toHaveLength(1);
  });
});
