import { describe, expect } from "bun:test";
import type { ControlCommand } from "#services/sequencer/index.ts";
import { BLOCK_TIME_MS } from "#test/helpers/executor-world.ts";
import {
  CLOSE,
  messageOrder,
  messageToNobody,
  messageWorld,
} from "#test/helpers/message-orders.ts";
import { sharedTest } from "#test/helpers/shared.ts";

describe("prices of L1", () => {
  const prices = (l1GasWei: bigint) => ({
    kind: "setL1Prices" as const,
    prices: { l1GasWei, l1DataGasWei: 5n, friPerWei: { numerator: 3n, denominator: 2n } },
  });

  sharedTest("apply to blocks that are opened afterwards", () => {
    const { order, batch, sealed, outcomes } = messageWorld();
    batch([0n]);
    order(prices(100n));
    order(CLOSE);
    order(CLOSE);
    expect(outcomes()[0]).toEqual({ kind: "set" });
    expect(sealed().map(({ draft }) => draft.info.gasPrices.l1Gas)).toEqual([
      { wei: 1n, fri: 1n },
      { wei: 100n, fri: 150n },
    ]);
    expect(sealed()[1]?.draft.info.gasPrices.l1DataGas).toEqual({ wei: 5n, fri: 7n });
  });

  sharedTest("that no block can have are rejected", () => {
    const { order, outcomes, sealed } = messageWorld();
    order(prices(1n << 128n));
    order(prices((1n << 128n) - 1n));
    order(prices(-1n));
    order({
      kind: "setL1Prices",
      prices: { ...prices(1n).prices, friPerWei: { numerator: 1n, denominator: 0n } },
    });
    order(CLOSE);
    expect(outcomes().map(({ kind }) => kind)).toEqual([
      "refused",
      "refused",
      "refused",
      "refused",
      "sealed",
    ]);
    expect(sealed()[0]?.draft.info.gasPrices.l1Gas).toEqual({ wei: 1n, fri: 1n });
  });
});

describe("a halt", () => {
  const HALT: ControlCommand = { kind: "halt", reason: "L1 has another root" };
  const refused = { kind: "refused", reason: "L1 has another root" } as const;

  sharedTest(
    "stops production: nothing is opened, sealed or executed, and every request is settled",
    () => {
      const { order, batch, timer, outcomes, sealed, settled, log } = messageWorld();
      batch([0n]);
      order(messageOrder(1n));
      order(HALT);
      const told = settled().length;
      const waiting = batch([1n]);
      order(CLOSE);
      order(messageOrder(2n));
      order({ kind: "message", bytes: messageToNobody(3n).bytes, l1TransactionHash: null });
      order({ ...HALT, reason: "another one" });
      timer.advance(10 * BLOCK_TIME_MS);
      expect(outcomes()).toEqual([
        refused,
        { kind: "set" },
        refused,
        refused,
        refused,
        { kind: "set" },
      ]);
      expect(sealed()).toEqual([]);
      expect(settled().slice(told)).toEqual([
        { kind: "settled", delta: null, included: [], rejected: [], requeued: waiting },
      ]);
      expect(log.filter((line) => line.startsWith("begin"))).toHaveLength(2);
    },
  );

  sharedTest("lets sealed blocks be accepted", () => {
    const { order, accept, service, timer, reads } = messageWorld();
    order(CLOSE);
    order(HALT);
    accept(5);
    timer.advance(BLOCK_TIME_MS);
    service.stop();
    expect(reads).not.toContain(6);
  });

  sharedTest("rejects waiting orders", () => {
    const { order, outcomes } = messageWorld();
    for (let i = 0; i < 8; i++) order(CLOSE);
    order(CLOSE);
    order(HALT);
    expect(outcomes().slice(8)).toEqual([refused, { kind: "set" }]);
  });

  sharedTest("lets prices be set, for when the threads start again", () => {
    const { order, outcomes } = messageWorld();
    order(HALT);
    const friPerWei = { numerator: 1n, denominator: 1n };
    order({ kind: "setL1Prices", prices: { l1GasWei: 9n, l1DataGasWei: 9n, friPerWei } });
    expect(outcomes()).toEqual([{ kind: "set" }, { kind: "set" }]);
  });
});
