import type { Felt } from "#base/primitives/index.ts";
import type { CoreState, L1BlockId, L1Source } from "#io/l1/index.ts";
import type { L1Alarm, L1ChainPort } from "./ports.ts";

/** The chain's state on L1. */
export interface L1StateUpdate extends CoreState {
  /** The L1 block in which it was read. */
  readonly l1Block: L1BlockId;
  /** Transaction that logged the update; `undefined` when only the core contract's state is known. */
  readonly transactionHash: bigint | undefined;
}

/** A block that is the same on this chain and on L1. */
export interface AgreedState {
  readonly blockNumber: number;
  readonly stateRoot: Felt;
  /** Update that agreed; `undefined` when it was read before this start. */
  readonly update: L1StateUpdate | undefined;
}

/**
 * Reads the core contract's state through every L1 endpoint, each for itself; see `L1Source.stateReports`.
 */
export type AskReports = L1Source["stateReports"];

/** Events of differing updates, other than alarms. */
export type StateEvent =
  /** An update differs, and the endpoints have not confirmed it yet. */
  | { readonly kind: "doubted"; readonly update: L1StateUpdate; readonly said: string }
  /** The endpoints refute a differing update: it is ignored. */
  | { readonly kind: "refuted"; readonly update: L1StateUpdate; readonly said: string }
  /** A differing update was accepted by the operator: it makes no block accepted on L1. */
  | { readonly kind: "passed_over"; readonly update: L1StateUpdate }
  /** A differing update is no longer on L1, which was set back to a block before it. */
  | { readonly kind: "replaced"; readonly update: L1StateUpdate }
  /** No differing update is left that the endpoints have neither confirmed nor refuted. */
  | { readonly kind: "resolved" };

/** Dependencies of {@link StateWatch}. */
export interface StateWatchDeps {
  readonly chain: Pick<L1ChainPort, "latestNumber" | "oldestBlock" | "header" | "l1AcceptedNumber">;
  /** L1 transactions whose updates may differ from the chain. */
  readonly acceptedDivergences: readonly bigint[];
  /**
   * Makes all blocks up to this one accepted on L1, durably.
   *
   * @returns whether it is done; otherwise it is called again
   */
  settle(blockNumber: number): Promise<boolean>;
  /** Called once, when L1 has a different root or hash than the chain and its endpoints confirm that. */
  onMismatch(alarm: L1Alarm): void;
  onEvent(event: StateEvent): void;
  /** Called when L1 has a newer state, and for the first one. */
  onUpdate(update: L1StateUpdate): void;
}
