import { describe, expect, test } from "bun:test";
import { l1ProductionPorts } from "#app/node/production/production-ports.ts";
import { ControlClient } from "#app/node/production/control-client.ts";
import { createLogger } from "#base/telemetry/index.ts";
import type { ControlOutcome, ControlRequest } from "#services/sequencer/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";

function world() {
  const executor = fakePort<never, ControlRequest>();
  const control = new ControlClient(executor, []);
  const log = createLogger({ level: "error", format: "text", write: () => undefined });
  const ports = l1ProductionPorts(control, log);
  const answer = (id: number, outcome: ControlOutcome): void =>
    control.answered({ kind: "controlled", id, outcome });
  return { ports, control, answer, commands: () => executor.sent.map(({ command }) => command) };
}

const ORDER = {
  bytes: new Uint8Array([1]),
  transactionHash: 2n,
  nonce: 3n,
  l1TransactionHash: 4n,
  l1BlockNumber: 5,
};

describe("executor ports", () => {
  test("send messages and return the outcome of each", async () => {
    const { ports, answer, commands } = world();
    const outcomes = ports.execute([ORDER, { ...ORDER, nonce: 4n }]);
    const { bytes, l1TransactionHash, l1BlockNumber } = ORDER;
    const message = { bytes, l1TransactionHash, l1BlockNumber };
    expect(commands()).toEqual([{ kind: "messages", messages: [message, message] }]);
    const consumed = [{ kind: "included", blockNumber: 9 }, { kind: "known" }] as const;
    answer(0, { kind: "consumed", outcomes: consumed });
    expect(await outcomes).toEqual(consumed);
  });

  test("report messages as interrupted if the executor is gone", async () => {
    const { ports, control } = world();
    const outcomes = ports.execute([ORDER]);
    control.interrupt();
    expect(await outcomes).toEqual([{ kind: "interrupted" }]);
  });

  test("forward prices and halts, and tolerate that the executor is gone", async () => {
    const { ports, control, commands } = world();
    const prices = {
      l1GasWei: 1n,
      l1DataGasWei: 2n,
      friPerWei: { numerator: 3n, denominator: 1n },
    };
    ports.setPrices(prices);
    ports.halt("why");
    expect(commands()).toEqual([
      { kind: "setL1Prices", prices },
      { kind: "halt", reason: "why" },
    ]);
    control.interrupt();
    await Bun.sleep(0);
  });
});
