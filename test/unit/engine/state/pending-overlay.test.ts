import { describe, expect, test } from "bun:test";
import { type BlockInfo, emptyStateDiff, type StateDiff } from "#protocol/chain/index.ts";
import { InvariantError } from "#base/errors/index.ts";
import {
  decodePendingDelta,
  encodePendingDelta,
  type PendingDelta,
  PendingOverlay,
} from "#engine/state/index.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";

const price = { wei: 1n, fri: 2n };

const info = (number: number): BlockInfo => ({
  number,
  timestamp: 1_000 + number,
  sequencerAddress: 0x123n,
  gasPrices: { l1Gas: price, l1DataGas: price, l2Gas: price },
  l1DaMode: "BLOB",
  protocolVersion: "0.14.4",
});

const writes = (entries: readonly (readonly [bigint, bigint])[]): StateDiff => ({
  ...emptyStateDiff(),
  storageDiffs: new Map([[1n, new Map(entries)]]),
});

function delta(number: number, sequence: number, entries: [bigint, bigint][]): PendingDelta {
  return {
    blockNumber: number,
    sequence,
    info: sequence === 0 ? info(number) : null,
    transactions: [],
    receipts: [],
    diff: writes(entries),
    sealed: false,
  };
}

const base = (latest: number) =>
  numberedChain(latest, (block) => storageState(new Map([["1/7", BigInt(block)]])));

describe("an overlay", () => {
  test("reads the accepted state where nothing is pending", () => {
    expect(new PendingOverlay(base(4)).state().storageAt(1n, 7n)).toBe(4n);
  });

  test("reads the newest write of all blocks above it", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(delta(5, 0, [[1n, 10n]]));
    overlay.apply(delta(5, 1, [[2n, 20n]]));
    overlay.apply(delta(6, 0, [[1n, 11n]]));
    const state = overlay.state();
    expect([1n, 2n, 7n].map((key) => state.storageAt(1n, key))).toEqual([11n, 20n, 4n]);
  });

  test("shows the topmost block as the newest", () => {
    const overlay = new PendingOverlay(base(-1));
    overlay.apply(delta(0, 0, []));
    overlay.apply(delta(1, 0, []));
    expect(overlay.newest()?.info.number).toBe(1);
  });

  test("reads from the database what was accepted, and keeps what is above", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(delta(5, 0, [[1n, 10n]]));
    overlay.apply(delta(6, 0, [[2n, 20n]]));
    const before = overlay.state();
    overlay.accepted(5);
    expect(overlay.blocks().map((block) => block.info.number)).toEqual([6]);
    expect(overlay.state().storageAt(1n, 7n)).toBe(5n);
    expect(before.storageAt(1n, 2n)).toBe(20n);
  });

  test("refuses a delta that does not follow", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(delta(5, 0, []));
    expect(() => overlay.apply(delta(5, 2, []))).toThrow(InvariantError);
    expect(() => overlay.apply(delta(7, 0, []))).toThrow(InvariantError);
  });
});

test("a delta survives its encoding", () => {
  const sent = delta(5, 0, [
    [1n, 10n],
    [2n, 0n],
  ]);
  expect(decodePendingDelta(encodePendingDelta(sent))).toEqual(sent);
});
