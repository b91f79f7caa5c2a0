import type { CoreState, L1BlockId, StateReport, StateUpdateLog } from "#io/l1/index.ts";
import {
  type AskReports,
  type L1Alarm,
  type L1StateUpdate,
  type StateEvent,
  StateWatch,
} from "#services/l1-watch/index.ts";
import { type FakeChain, L1_BLOCK } from "./l1-chain.ts";

/** A watch with endpoints of the test: by default two that confirm every update. */
export class AskingWatch extends StateWatch {
  readonly #logs: StateUpdateLog[] = [];
  readonly #states = new Map<number, { readonly core: CoreState; readonly l1Block: L1BlockId }>();
  /** Responses to {@link step}. */
  ask: AskReports = (l1BlockNumber) =>
    Promise.resolve(["http://a", "http://b"].map((name) => this.report(name, l1BlockNumber)));

  override logs(updates: readonly StateUpdateLog[]): void {
    for (const update of updates) this.#logs.push(update);
    super.logs(updates);
  }

  override coreState(core: CoreState, l1Block: L1BlockId): void {
    this.#states.set(l1Block.number, { core, l1Block });
    super.coreState(core, l1Block);
  }

  /** Report of an endpoint that confirms the updates of an L1 block. */
  report(endpoint: string, l1BlockNumber: number): StateReport {
    const updates = this.#logs.filter(({ l1Block }) => l1Block.number === l1BlockNumber);
    const last = updates.at(-1);
    const state = this.#states.get(l1BlockNumber);
    const core = last ?? state?.core;
    if (core === undefined) return { kind: "silent", endpoint, reason: "it was told nothing" };
    const l1BlockHash = (last?.l1Block ?? state?.l1Block ?? L1_BLOCK).hash;
    return { kind: "read", endpoint, l1BlockHash, updates, named: [], core };
  }

  step(): Promise<void> {
    return this.advance(this.ask);
  }
}

/** A watch of a test's chain, with its reports. */
export interface WatchedState {
  readonly watch: AskingWatch;
  readonly alarms: readonly L1Alarm[];
  readonly events: readonly StateEvent[];
  /** Blocks of the reported updates, in order. */
  updatedBlocks(): readonly number[];
}

/**
 * Compares a test's chain with updates that the test feeds to the watch; endpoints confirm each.
 */
export function watchOf(
  chain: FakeChain,
  acceptedDivergences: readonly bigint[] = [],
): WatchedState {
  const alarms: L1Alarm[] = [];
  const events: StateEvent[] = [];
  const updates: L1StateUpdate[] = [];
  const watch = new AskingWatch({
    chain,
    acceptedDivergences,
    settle: chain.settle,
    onMismatch: (alarm) => alarms.push(alarm),
    onEvent: (event) => events.push(event),
    onUpdate: (update) => updates.push(update),
  });
  const updatedBlocks = (): readonly number[] =>
    updates.map(({ blockNumber }) => Number(blockNumber));
  watch.counted({ block: L1_BLOCK, head: L1_BLOCK });
  return { watch, alarms, events, updatedBlocks };
}
