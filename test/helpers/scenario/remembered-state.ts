import type { Felt } from "#base/primitives/index.ts";
import { type BlockInfo, emptyStateDiff, type StateDiff } from "#protocol/chain/index.ts";
import { type PendingDelta, PendingOverlay, type StateReader } from "#engine/state/index.ts";
import { numberedChain } from "../memory-chain.ts";
import type { InitialState } from "./initial-state.ts";

/** A state as seen by threads, with events during the execution of a block. */
export interface StateBehind {
  readonly state: StateReader;
  /** Called after step `index`. */
  afterStep(index: number): void;
}

/**
 * The same state as seen by threads after some blocks: earlier values are cached, a block that
 * changes all of them was accepted, and a sealed one above changes a part of them back. That one is
 * accepted while the scenario runs.
 */
export function rememberedState(initial: InitialState, info: BlockInfo): StateBehind {
  const first = changesOf(initial, (value, index) => (index % 2 === 0 ? value : value + 1n));
  const second = changesOf(initial, (value, index) => (index % 2 === 0 ? undefined : value));
  const states = [before(initial), over(first, initial), initial];
  const chain = numberedChain(0, (number) => states[number] ?? initial);
  const overlay = new PendingOverlay(chain);
  readAll(initial, overlay.state());
  overlay.apply(sealedDelta({ ...info, number: 1 }, first));
  overlay.accepted(1);
  overlay.apply(sealedDelta({ ...info, number: 2 }, second));
  return {
    state: overlay.state(),
    afterStep(index) {
      if (index === 0) overlay.accepted(2);
    },
  };
}

/** A state without the writes of another one. */
function before(state: InitialState): StateReader {
  return {
    storageAt: () => 0n,
    nonceAt: () => 0n,
    classHashAt: () => 0n,
    compiledClassHashOf: (classHash) => state.compiledClassHashOf(classHash),
    executableClass: (classHash) => state.executableClass(classHash),
  };
}

function over(diff: StateDiff, below: StateReader): StateReader {
  return {
    storageAt: (address, key) =>
      diff.storageDiffs.get(address)?.get(key) ?? below.storageAt(address, key),
    nonceAt: (address) => diff.nonces.get(address) ?? below.nonceAt(address),
    classHashAt: (address) => diff.deployedContracts.get(address) ?? below.classHashAt(address),
    compiledClassHashOf: (classHash) => below.compiledClassHashOf(classHash),
    executableClass: (classHash) => below.executableClass(classHash),
  };
}

/** @param change - new value of a place in a block; `undefined` if unchanged */
function changesOf(
  { storage, nonces, classHashes }: InitialState,
  change: (value: Felt, index: number) => Felt | undefined,
): StateDiff {
  let index = 0;
  const changed = (values: ReadonlyMap<Felt, Felt>): Map<Felt, Felt> => {
    const changes = new Map<Felt, Felt>();
    for (const [key, value] of values) {
      const next = change(value, index++);
      if (next !== undefined) changes.set(key, next);
    }
    return changes;
  };
  const diff = emptyStateDiff();
  for (const [address, cells] of storage) diff.storageDiffs.set(address, changed(cells));
  return { ...diff, nonces: changed(nonces), deployedContracts: changed(classHashes) };
}

function readAll(
  { storage, nonces, classHashes, classes }: InitialState,
  state: StateReader,
): void {
  for (const [address, cells] of storage) {
    for (const key of cells.keys()) state.storageAt(address, key);
  }
  for (const address of nonces.keys()) state.nonceAt(address);
  for (const address of classHashes.keys()) state.classHashAt(address);
  for (const classHash of classes.keys()) state.executableClass(classHash);
}

function sealedDelta(info: BlockInfo, diff: StateDiff): PendingDelta {
  return {
    blockNumber: info.number,
    sequence: 0,
    info,
    transactions: [],
    receipts: [],
    diff,
    classes: [],
    sealed: true,
  };
}
