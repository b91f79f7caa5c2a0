import { type BlockInfo, emptyStateDiff, type StateDiff } from "#protocol/chain/index.ts";
import type { PendingDelta } from "#engine/state/index.ts";
import { numberedChain, storageState } from "./memory-chain.ts";

const price = { wei: 1n, fri: 2n };

/** Returns the block info of a block number in these deltas. */
export const info = (number: number): BlockInfo => ({
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

/** A delta with writes to contract 1. */
export function delta(number: number, sequence: number, entries: [bigint, bigint][]): PendingDelta {
  return {
    blockNumber: number,
    sequence,
    info: sequence === 0 ? info(number) : null,
    transactions: [],
    receipts: [],
    diff: writes(entries),
    classes: [],
    sealed: false,
  };
}

/** Creates a chain in which storage variable 7 of contract 1 is the block number. */
export const base = (latest: number) =>
  numberedChain(latest, (block) => storageState(new Map([["1/7", BigInt(block)]])));
