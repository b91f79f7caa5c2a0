import { type L1Alarm, type L1StateUpdate, StateWatch } from "#services/l1-watch/index.ts";
import type { FakeChain } from "./l1-chain.ts";

/** A watch of a test's chain, with what it has reported. */
export interface WatchedState {
  readonly watch: StateWatch;
  readonly alarms: readonly L1Alarm[];
  /** Blocks of the updates that were reported, in order. */
  told(): readonly number[];
}

/** Compares a test's chain with updates that the test hands to the watch. */
export function watchOf(chain: FakeChain): WatchedState {
  const alarms: L1Alarm[] = [];
  const updates: L1StateUpdate[] = [];
  const watch = new StateWatch({
    chain,
    settle: chain.settle,
    onMismatch: (alarm) => alarms.push(alarm),
    onUpdate: (update) => updates.push(update),
  });
  const told = (): readonly number[] => updates.map(({ blockNumber }) => Number(blockNumber));
  return { watch, alarms, told };
}
