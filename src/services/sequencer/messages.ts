import type { Felt } from "#base/primitives/index.ts";
import type { BlockInputs } from "#protocol/chain/index.ts";
import type { RevertedTransactions } from "./reverted-transactions.ts";

/**
 * Executor to committer: the deltas of block `blockNumber` are complete. The message adds the block's own
 * state diff, which the deltas do not give: a change undone by a later delta must not appear in it.
 */
export interface SealedMessage {
  readonly kind: "sealed";
  readonly blockNumber: number;
  /** Made by `encodeStateDiff`. */
  readonly stateDiff: Uint8Array;
  /** Attempt of the batch that the block was made of. */
  readonly attempt: number;
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
  /** Origins of the block's messages from L1, in their order. */
  readonly l1Messages: BlockInputs["l1Messages"];
}

/**
 * Executor to committer, after a start and before any block: a synthetic block to commit to a throwaway
 * chain, so that the first real block is as fast as later ones. Numbered from 0.
 */
export interface RehearsalMessage extends Pick<SealedMessage, "blockNumber" | "stateDiff"> {
  readonly kind: "rehearsal";
  /** Made by `encodePendingDelta`, in order. */
  readonly deltas: readonly Uint8Array[];
}

/** Main to the chain's writer: blocks up to this one are accepted on L1. */
export interface SettleOnL1 {
  readonly kind: "settleOnL1";
  readonly id: number;
  readonly blockNumber: number;
  /** Hash of that block: if the chain has another block by then, nothing is recorded. */
  readonly blockHash: Felt;
}

/** Response: whether acceptance is recorded and visible to all readers. `false` if the block is gone. */
export interface SettledOnL1 {
  readonly kind: "settledOnL1";
  readonly id: number;
  readonly isDone: boolean;
}

/**
 * Executor to main: between two blocks, the wall clock moved by this many milliseconds more than time passed
 * (negative: less). Block times now follow the monotonic clock.
 */
export interface ClockJumpMessage {
  readonly kind: "clockJump";
  readonly byMs: number;
}

/** A block was accepted: its commit returned, and clients may see it. */
export interface AcceptedMessage {
  readonly kind: "accepted";
  readonly blockNumber: number;
  readonly blockHash: Felt;
  readonly transactionCount: number;
  readonly eventCount: number;
  readonly revertedTransactions: RevertedTransactions;
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
  /** Seconds for roots, hash, commit and the response of the publish gate. */
  readonly commitSeconds: number;
}

/**
 * Committer to main: state of the publish gate.
 *
 * - `waiting`: a block is committed, but its store has not answered, for the given reason; sent repeatedly.
 * - `open`: the store has answered.
 * - `refused`: another sequencer's block has this number; nothing more is committed.
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
      /** Epoch of the sequencer that made the block; `null` if it cannot be read. */
      readonly epoch: number | null;
    };
