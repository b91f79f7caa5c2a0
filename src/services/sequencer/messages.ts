import type { Felt } from "#base/primitives/index.ts";
import type { RevertedTransactions } from "./reverted.ts";

/**
 * Executor to committer: the deltas of block `blockNumber` are complete. With them goes what they do not
 * tell, the block's own state diff: changes that a later delta undoes are in none.
 */
export interface SealedMessage {
  readonly kind: "sealed";
  readonly blockNumber: number;
  /** Made by `encodeStateDiff`. */
  readonly stateDiff: Uint8Array;
  /** As in the batch that the block was made of. */
  readonly attempt: number;
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
}

/** A block was accepted: its commit returned and it may be shown. */
export interface AcceptedMessage {
  readonly kind: "accepted";
  readonly blockNumber: number;
  readonly blockHash: Felt;
  readonly transactionCount: number;
  readonly eventCount: number;
  readonly reverted: RevertedTransactions;
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
  /** Seconds for roots, hash and commit. */
  readonly commitSeconds: number;
}
