import type { Felt } from "#base/primitives/index.ts";
import type { BlockInputs } from "#protocol/chain/index.ts";
import type { RevertedTransactions } from "./reverted-transactions.ts";

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
  /** Where the messages from L1 in the block came from, in their order. */
  readonly l1Messages: BlockInputs["l1Messages"];
}

/**
 * Executor to committer, after a start and before any block: a block that nobody sent anything for, to commit
 * to a chain that is thrown away, so that the first one of others is as fast as the next ones. They are
 * numbered from 0.
 */
export interface RehearsalMessage extends Pick<SealedMessage, "blockNumber" | "stateDiff"> {
  readonly kind: "rehearsal";
  /** Made by `encodePendingDelta`, in order. */
  readonly deltas: readonly Uint8Array[];
}

/** Main to whoever writes the chain: blocks up to this one are accepted on L1. */
export interface SettleOnL1 {
  readonly kind: "settleOnL1";
  readonly id: number;
  readonly blockNumber: number;
  /** Of that block: when it is another one by then, nothing is recorded. */
  readonly blockHash: Felt;
}

/** The answer: it is recorded, and all readers see it; or it is not, for the block is gone. */
export interface SettledOnL1 {
  readonly kind: "settledOnL1";
  readonly id: number;
  readonly isDone: boolean;
}

/**
 * Executor to main: between two blocks the wall clock has moved by so many milliseconds more than time has
 * passed (below 0: less). Blocks go on by the monotonic clock.
 */
export interface ClockJumpMessage {
  readonly kind: "clockJump";
  readonly byMs: number;
}

/** A block was accepted: its commit returned and it may be shown. */
export interface AcceptedMessage {
  readonly kind: "accepted";
  readonly blockNumber: number;
  readonly blockHash: Felt;
  readonly transactionCount: number;
  readonly eventCount: number;
  readonly revertedTransactions: RevertedTransactions;
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
  /** Seconds for roots, hash, commit and the answer of the publish gate. */
  readonly commitSeconds: number;
}

/**
 * Committer to main: what the publish gate does. `waiting`: a block is committed and its store has not
 * answered for the reason told, again and again; `open`: it has. `refused`: another sequencer's block stands
 * in the place of this one; nothing is committed any more.
 */
export type GateMessage =
  | { readonly kind: "gate"; readonly state: "open"; readonly blockNumber: number }
  | {
      readonly kind: "gate";
      readonly state: "waiting";
      readonly blockNumber: number;
      readonly reason: string;
    }
  | {
      readonly kind: "gate";
      readonly state: "refused";
      readonly blockNumber: number;
      /** Of the sequencer whose block it is; `null`: that cannot be read. */
      readonly epoch: number | null;
    };
