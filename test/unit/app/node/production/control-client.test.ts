import { describe, expect, test } from "bun:test";
import { ControlClient } from "#app/node/production/control-client.ts";
import type { ControlOutcome, ControlRequest } from "#services/sequencer/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";

const ORIGINS = ["http://a.example", "http://b.example:81"];

/** Error of an order that the executor answers with an outcome. */
async function errorOf(outcome: ControlOutcome): Promise<unknown> {
  const executor = fakePort<never, ControlRequest>();
  const control = new ControlClient(executor, ORIGINS);
  const ordered = control.order({ kind: "createBlock", fresh: true }, "sealed");
  const [request] = executor.sent;
  control.answered({ kind: "controlled", id: request?.id ?? 0, outcome });
  return ordered.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("an order", () => {
  test("fails with the reason of its refusal", async () => {
    expect(await errorOf({ kind: "refused", reason: "no room" })).toMatchObject({
      code: "RPC_DEVNET",
      message: "no room",
    });
  });

  test("fails with the names of a lost origin, once", async () => {
    const lost = { kind: "refused", isOriginLost: true } as const;
    expect(await errorOf({ ...lost, reason: "storage 2 0x5: no response" })).toMatchObject({
      code: "ORIGIN_UNAVAILABLE",
      message: "http://a.example, http://b.example:81: storage 2 0x5: no response",
    });
    expect(await errorOf({ ...lost, reason: "http://a.example: no response" })).toMatchObject({
      code: "ORIGIN_UNAVAILABLE",
      message: "http://a.example: no response",
    });
  });

  test("fails when the executor has stopped, also later ones", async () => {
    const control = new ControlClient(fakePort<never, ControlRequest>(), ORIGINS);
    const order = () =>
      control
        .order({ kind: "createBlock", fresh: true }, "sealed")
        .catch((error: unknown) => error);
    const waiting = order();
    control.stop();
    for (const failed of [waiting, order()]) {
      expect(await failed).toMatchObject({ message: "the node is stopping" });
    }
  });
});
