import type {
  BlockHeader,
  ContractClass,
  HashedTransaction,
  Receipt,
  StateDiff,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { TrieReader } from "#protocol/trie/index.ts";
import type { StateReader } from "./reader.ts";

/** Place of a transaction in an accepted block. */
export interface TransactionLocation {
  readonly blockNumber: number;
  /** Position in the block, from 0. */
  readonly index: number;
}

/** Consecutive transactions of an accepted block that are stored in one piece. */
export interface BlockPortion {
  /** Block position of the portion's first transaction, from 0. */
  readonly firstIndex: number;
  readonly count: number;
  /** Decodes one transaction on each call; `index` is a position in the block. */
  transactionAt(index: number): HashedTransaction | undefined;
  receiptAt(index: number): Receipt | undefined;
}

/** Declared class and the block that declared it. */
export interface DeclaredClass {
  readonly contractClass: ContractClass;
  readonly declaredAtBlock: number;
}

/** L1 handler transaction that consumed a message, and the block that contains it. */
export interface ConsumedL1Message {
  readonly transactionHash: Felt;
  readonly blockNumber: number;
}

/** Filter of an event search. */
export interface EventQuery {
  /** Emitting contracts; empty matches any. */
  readonly addresses: readonly Felt[];
  /** Accepted keys for each position; an empty list matches any key. */
  readonly keys: readonly (readonly Felt[])[];
}

/**
 * Accepted blocks and their state, read synchronously through one handle. No method leaves a read transaction
 * open, so a reader never delays checkpoints of the write-ahead log.
 */
export interface ChainReader {
  /**
   * Runs `read` on one snapshot of the chain: concurrent commits, pruning and reverts are invisible to it.
   * Must not last longer than one request.
   */
  snapshot<T>(read: () => T): T;
  /** Number of the newest accepted block; `undefined` before block 0. */
  latestNumber(): number | undefined;
  /**
   * Number of the oldest stored block: 0, or higher for a chain that started from a snapshot. A failed lookup
   * proves nothing about older blocks.
   */
  oldestBlock(): number;
  /** Number of the newest block accepted on L1; `undefined` before the first one. */
  l1AcceptedNumber(): number | undefined;
  header(blockNumber: number): BlockHeader | undefined;
  /**
   * Like {@link header}, but also serves the few headers before {@link oldestBlock} that a chain from a
   * snapshot keeps, because later blocks depend on their hashes and roots.
   */
  ancestorHeader(blockNumber: number): BlockHeader | undefined;
  numberByHash(blockHash: Felt): number | undefined;
  signature(blockNumber: number): { readonly r: Felt; readonly s: Felt } | undefined;
  /** All transactions of a block in order; empty for an unknown block. */
  transactions(blockNumber: number): HashedTransaction[];
  transactionHashes(blockNumber: number): Felt[];
  /** All receipts of a block in order; empty for an unknown block. */
  receipts(blockNumber: number): Receipt[];
  locate(transactionHash: Felt): TransactionLocation | undefined;
  transactionAt(location: TransactionLocation): HashedTransaction | undefined;
  receiptAt(location: TransactionLocation): Receipt | undefined;
  /** Stored portion that contains a transaction; for callers that walk a block in bounded steps. */
  portionAt(location: TransactionLocation): BlockPortion | undefined;
  stateDiff(blockNumber: number): StateDiff | undefined;
  /**
   * First accepted block in [`from`, `to`] that may hold an event with one of the addresses and one of the
   * keys for each position. Never skips a matching block. The cost grows with the range, so callers must
   * limit it.
   */
  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined;
  /**
   * Number of the last block up to `blockNumber` that changed a storage variable; `undefined` if none did.
   */
  lastStorageUpdate(contractAddress: Felt, key: Felt, blockNumber: number): number | undefined;
  /**
   * Transactions that consumed the messages sent by an L1 transaction, in block order; empty if no message
   * has been consumed.
   *
   * @param l1TransactionHash - 256 bits
   */
  messagesOfL1Transaction(l1TransactionHash: bigint): ConsumedL1Message[];
  /** Transaction that consumed the message with this core-contract nonce; `undefined` if none did. */
  consumedL1Message(nonce: bigint): ConsumedL1Message | undefined;
  declaredClass(classHash: Felt): DeclaredClass | undefined;
  /**
   * State after block `blockNumber`; -1 is the state before block 0. Reads throw {@link StorageError}
   * STORAGE_PRUNED when that state is no longer kept.
   */
  stateAt(blockNumber: number): StateReader;
  /** Oldest block whose state is kept; 0 when nothing was pruned. */
  oldestStateBlock(): number;
  /**
   * Tries after block `blockNumber`; -1 selects the tries before block 0. Reads throw {@link StorageError}
   * STORAGE_PRUNED when those tries are no longer kept.
   */
  trieAt(blockNumber: number): TrieReader;
  /** Oldest block whose tries are kept; 0 when nothing was pruned. */
  oldestTrieBlock(): number;
}
