import type { Felt } from "#base/primitives/index.ts";

/** Executor to committer: a block without roots and hash, encoded as one pending delta. */
export interface SealedMessage {
  readonly kind: "sealed";
  readonly bytes: Uint8Array;
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
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
  /** Seconds for roots, hash and commit. */
  readonly commitSeconds: number;
}
