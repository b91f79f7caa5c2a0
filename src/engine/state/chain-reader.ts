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

/** Neighbouring transactions of an accepted block, as many as are stored together. */
export interface BlockPortion {
  /** Position of the first in the block, from 0. */
  readonly firstIndex: number;
  readonly count: number;
  /** Decoded when it is asked for; `index` is a position in the block. */
  transactionAt(index: number): HashedTransaction | undefined;
  receiptAt(index: number): Receipt | undefined;
}

/** A class as declared and where that happened. */
export interface DeclaredClass {
  readonly contractClass: ContractClass;
  readonly declaredAtBlock: number;
}

/** An L1 handler transaction that consumed a message, and the block that holds it. */
export interface ConsumedL1Message {
  readonly transactionHash: Felt;
  readonly blockNumber: number;
}

/** Which events are looked for. */
export interface EventQuery {
  /** Emitters; empty: any. */
  readonly addresses: readonly Felt[];
  /** Alternatives for the key at each position; an empty list: any. */
  readonly keys: readonly (readonly Felt[])[];
}

/**
 * Accepted blocks and their state, read synchronously from one handle. No method leaves a read
 * transaction open, so that a reader never holds back the write-ahead log.
 */
export interface ChainReader {
  /**
   * Reads in one moment of the chain: what others commit, prune or revert meanwhile is not seen.
   * Not for longer than a request takes.
   */
  snapshot<T>(read: () => T): T;
  /** Number of the newest accepted block; `undefined` before block 0. */
  latestNumber(): number | undefined;
  /**
   * Number of the first block that there is: 0, but for a chain from a snapshot. What older blocks held is
   * not known: that it is not found says nothing.
   */
  oldestBlock(): number;
  /** Number of the newest block accepted on L1; `undefined` when none is. */
  l1AcceptedNumber(): number | undefined;
  header(blockNumber: number): BlockHeader | undefined;
  /**
   * {@link header}, also of the last blocks before {@link oldestBlock}, of which a chain from a snapshot has
   * the headers alone: for hashes and roots that later blocks depend on.
   */
  ancestorHeader(blockNumber: number): BlockHeader | undefined;
  numberByHash(blockHash: Felt): number | undefined;
  /** The sequencer's signature over the block hash. */
  signature(blockNumber: number): { readonly r: Felt; readonly s: Felt } | undefined;
  /** All transactions of a block in order; empty for an unknown block. */
  transactions(blockNumber: number): HashedTransaction[];
  transactionHashes(blockNumber: number): Felt[];
  /** All receipts of a block in order; empty for an unknown block. */
  receipts(blockNumber: number): Receipt[];
  locate(transactionHash: Felt): TransactionLocation | undefined;
  transactionAt(location: TransactionLocation): HashedTransaction | undefined;
  receiptAt(location: TransactionLocation): Receipt | undefined;
  /** The portion that a transaction stands in: for who goes through a block in bounded steps. */
  portionAt(location: TransactionLocation): BlockPortion | undefined;
  stateDiff(blockNumber: number): StateDiff | undefined;
  /**
   * The first accepted block from `from` to `to`, both included, that may hold an event with one of
   * the addresses and one of the keys of each position. Leaves none out that holds one. The longer
   * the range, the longer this may take: it is for the caller to cut.
   */
  nextEventBlock(query: EventQuery, from: number, to: number): number | undefined;
  /**
   * Number of the last block up to `blockNumber` that changed a storage variable; `undefined` when
   * none did.
   */
  lastStorageUpdate(contractAddress: Felt, key: Felt, blockNumber: number): number | undefined;
  /**
   * Who consumed the messages that an L1 transaction had sent, in block order.
   *
   * @param l1TransactionHash - 256 bits
   */
  messagesOfL1Transaction(l1TransactionHash: bigint): ConsumedL1Message[];
  /** Who consumed the message of a nonce of the core contract. */
  consumedL1Message(nonce: bigint): ConsumedL1Message | undefined;
  /** A class by hash with the block that declared it. */
  declaredClass(classHash: Felt): DeclaredClass | undefined;
  /**
   * State after block `blockNumber`; -1 is the state before block 0. Reading it throws
   * {@link StorageError} STORAGE_PRUNED where it is no longer kept.
   */
  stateAt(blockNumber: number): StateReader;
  /** The oldest block whose state is kept; 0 when nothing was pruned. */
  oldestStateBlock(): number;
  /**
   * Tries as they stand after block `blockNumber`; -1 are the tries before block 0. Reading them throws
   * {@link StorageError} STORAGE_PRUNED where they are no longer kept.
   */
  trieAt(blockNumber: number): TrieReader;
  /** The oldest block whose tries are kept; 0 when nothing was pruned. */
  oldestTrieBlock(): number;
}
