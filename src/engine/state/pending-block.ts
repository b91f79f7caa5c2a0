import type {
  BlockInfo,
  BlockInputs,
  ContractClass,
  EncodedClass,
  EncodedTransaction,
  HashedTransaction,
  Receipt,
  StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "./reader.ts";

/**
 * Delta that the executor sends to all readers of pending state after a batch: the transactions added to
 * block `blockNumber` since the last delta, and their state changes.
 *
 * Deltas of a block are numbered from 0. The first one carries the block's `info` and its pre-processing, as
 * does one that rebuilds the block. `sealed` marks the last one: the block is complete, but not accepted yet.
 */
export interface PendingDelta {
  readonly blockNumber: number;
  readonly sequence: number;
  /**
   * Set in the delta with sequence 0, and in one that replaces all earlier deltas because the block was
   * rebuilt.
   */
  readonly info: BlockInfo | null;
  readonly transactions: readonly EncodedTransaction[];
  /** One per transaction, in the same order. */
  readonly receipts: readonly Receipt[];
  readonly diff: StateDiff;
  /** Classes declared by `diff`. */
  readonly classes: readonly EncodedClass[];
  /** L1 origin of each L1-handler transaction; omitted if none. */
  readonly l1Messages?: BlockInputs["l1Messages"];
  readonly sealed: boolean;
}

/** Combined state changes of consecutive transactions of a block. */
export interface PendingChanges {
  /** Number of the block's transactions up to and including the last one of these. */
  readonly end: number;
  readonly diff: StateDiff;
}

/** Block under construction, or sealed and not accepted yet. */
export interface PendingBlock {
  readonly info: BlockInfo;
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
  /** Parts that make up {@link stateDiff}, in order: one per delta. */
  readonly changes?: readonly PendingChanges[];
  /** State after all `transactions`. */
  readonly state: StateReader;
  find(transactionHash: Felt): { readonly index: number } | undefined;
  /** Class declared by this block, or by a lower block that is not accepted yet. */
  declaredClass?(classHash: Felt): ContractClass | undefined;
  /** Hashes of this block's transactions that consumed messages of an L1 transaction, in order. */
  messagesOfL1Transaction?(l1TransactionHash: bigint): readonly Felt[];
  /** Hash of this block's transaction that consumed the message with this nonce. */
  consumedL1Message?(nonce: bigint): Felt | undefined;
}

/** Delta whose state changes are decoded and whose transactions and receipts are decoded on demand. */
export interface LazyDelta extends Omit<PendingDelta, "transactions" | "receipts"> {
  /** Transaction hashes, in order. */
  readonly hashes: readonly Felt[];
  /** Decodes transactions and receipts on every call. */
  contents(): Pick<PendingDelta, "transactions" | "receipts">;
}
