import type { Felt } from "#base/primitives/index.ts";
import type { CoreState, L1BlockId, L1Source } from "#io/l1/index.ts";
import type { L1Alarm, L1ChainPort } from "./ports.ts";

/** The chain's state as L1 has it. */
export interface L1StateUpdate extends CoreState {
  /** The L1 block that it was read in. */
  readonly l1Block: L1BlockId;
  /** Transaction that logged the update; `undefined` when only the core contract's state is known. */
  readonly transactionHash: bigint | undefined;
}

/** A block as the chain and L1 both have it. */
export interface AgreedState {
  readonly blockNumber: number;
  readonly stateRoot: Felt;
  /** Update that agreed; `undefined` when it was read before this start. */
  readonly update: L1StateUpdate | undefined;
}

/** Asks every endpoint for itself; as `L1Source.stateReports`. */
export type AskReports = L1Source["stateReports"];

/** What comes of updates that differ, beside alarms. */
export type StateEvent =
  /** An update differs, and the endpoints have not confirmed it so far. */
  | { readonly kind: "doubted"; readonly update: L1StateUpdate; readonly said: string }
  /** The endpoints refute an update that differs: it is ignored. */
  | { readonly kind: "refuted"; readonly update: L1StateUpdate; readonly said: string }
  /** An update differs that the operator has accepted: it makes no block accepted on L1. */
  | { readonly kind: "passed_over"; readonly update: L1StateUpdate }
  /** An update differs that L1 no longer has: it was put back to a block before it. */
  | { readonly kind: "replaced"; readonly update: L1StateUpdate }
  /** No update differs that the endpoints have neither confirmed nor refuted. */
  | { readonly kind: "resolved" };

/** What the chain's state on L1 is watched with. */
export interface StateWatchDeps {
  readonly chain: Pick<L1ChainPort, "latestNumber" | "oldestBlock" | "header" | "l1AcceptedNumber">;
  /** Transactions on L1 whose updates may differ from the chain. */
  readonly acceptedDivergences: readonly bigint[];
  /**
   * Makes all blocks up to this one accepted on L1, durably.
   *
   * @returns whether it is done; otherwise it is asked for again
   */
  settle(blockNumber: number): Promise<boolean>;
  /** Called once, when L1 has another root or hash than the chain and its endpoints confirm that. */
  onMismatch(alarm: L1Alarm): void;
  onEvent(event: StateEvent): void;
  /** L1 has a newer state; also the first one that is read. */
  onUpdate(update: L1StateUpdate): void;
}
