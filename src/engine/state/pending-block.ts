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
 * What the executor tells every reader of pending state after a batch: the transactions that were
 * added to block `blockNumber` since the last delta, and what they changed.
 *
 * Deltas of a block are numbered from 0; the first one carries the block's `info` and its
 * pre-processing, and so does one that begins the block anew. `sealed` marks the last one: the block is complete, though not yet accepted.
 */
export interface PendingDelta {
  readonly blockNumber: number;
  readonly sequence: number;
  /**
   * Present in the delta with sequence 0, and in one that stands for the whole block, in place of all
   * deltas before: the block was built again.
   */
  readonly info: BlockInfo | null;
  readonly transactions: readonly EncodedTransaction[];
  /** One per transaction, in the same order. */
  readonly receipts: readonly Receipt[];
  readonly diff: StateDiff;
  /** Classes that `diff` declares. */
  readonly classes: readonly EncodedClass[];
  /** Where those of `transactions` came from that are messages from L1; left out: there is none. */
  readonly l1Messages?: BlockInputs["l1Messages"];
  readonly sealed: boolean;
}

/** What some transactions of a block changed together. */
export interface PendingChanges {
  /** Number of transactions of the block up to the last of them. */
  readonly end: number;
  readonly diff: StateDiff;
}

/** A block that is being built, or sealed and not accepted yet. */
export interface PendingBlock {
  readonly info: BlockInfo;
  readonly transactions: readonly HashedTransaction[];
  readonly receipts: readonly Receipt[];
  readonly stateDiff: StateDiff;
  /** The parts that {@link stateDiff} was put together from, in order: one for each delta. */
  readonly changes?: readonly PendingChanges[];
  /** State after all of `transactions`. */
  readonly state: StateReader;
  /** Position of a transaction in this block. */
  find(transactionHash: Felt): { readonly index: number } | undefined;
  /** A class that this block declares, or one below it that is not accepted yet. */
  declaredClass?(classHash: Felt): ContractClass | undefined;
  /** Hashes of this block's transactions that consumed messages of an L1 transaction, in order. */
  messagesOfL1Transaction?(l1TransactionHash: bigint): readonly Felt[];
  /** The hash of this block's transaction that consumed the message of a nonce. */
  consumedL1Message?(nonce: bigint): Felt | undefined;
}

/** What of a delta the state needs, and its transactions and receipts for who asks for them. */
export interface OpenedDelta extends Omit<PendingDelta, "transactions" | "receipts"> {
  /** Of the transactions, in order. */
  readonly hashes: readonly Felt[];
  /** Decoded anew each time. */
  contents(): Pick<PendingDelta, "transactions" | "receipts">;
}
