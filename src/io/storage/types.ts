import type { Felt } from "#base/primitives/index.ts";
import type { BlockBundle, BlockHeader, BlockInputs } from "#protocol/chain/index.ts";
import type { ChainReader, ConsumedL1Message, WrittenState } from "#engine/state/index.ts";
import type { TrieChanges, TrieReader, TrieStore } from "#protocol/trie/index.ts";

/** Compiled code of a Sierra class as stored. */
export interface StoredCasm {
  /** Compiled class as JSON text, exactly as committed. */
  readonly casmJson: string;
  readonly sierraVersion: readonly [number, number, number];
  readonly declaredAtBlock: number;
}

/** Message from L1 that a block consumed. */
export type StoredL1Message = ConsumedL1Message;

/**
 * {@link ChainReader} with the parts that only this storage has: bundles, tries, L1 messages, node values.
 */
export interface StoredChainReader extends ChainReader {
  /** Epoch of the sequencer that produced the block. */
  epoch(blockNumber: number): number | undefined;
  /** Inputs of the block beyond its header and transactions. */
  inputs(blockNumber: number): BlockInputs | undefined;
  /**
   * Values that blocks up to `blockNumber` wrote. Reading them throws {@link StorageError} STORAGE_PRUNED if
   * the state is no longer kept and no row answers the read.
   */
  writtenAt(blockNumber: number): WrittenState;
  bundle(blockNumber: number): BlockBundle | undefined;
  /** Canonical bytes of the bundle, without decoding the stored parts. */
  bundleBytes(blockNumber: number): Uint8Array | undefined;
  /** Compiled code of a Sierra class; `undefined` for unknown and Cairo 0 classes. */
  casm(classHash: Felt): StoredCasm | undefined;
  /** Numbers of the blocks that declare classes, ascending. */
  declaringBlocks(): number[];
  /** Highest nonce of a consumed L1 message; `undefined` if none was consumed. */
  newestConsumedNonce(): bigint | undefined;
  /** First consumption, by block, of an L1 message with this nonce or a higher one. */
  firstConsumedFrom(nonce: bigint): StoredL1Message | undefined;
  /**
   * Tries as of a block. Reading them throws {@link StorageError} STORAGE_PRUNED if they are no longer kept.
   */
  trieAt(blockNumber: number): TrieReader;
  /** Value that the node stored with {@link ChainWriter.putValue}. */
  value(key: string): Uint8Array | undefined;
}

/** Block to store, with its trie changes. */
export interface BlockCommit extends BlockBundle {
  readonly trie: TrieChanges;
}

/** How much history is kept. Blocks, transactions, receipts and state diffs are always kept. */
export interface ChainRetention {
  /** Number of newest blocks whose tries are kept, at least 1. */
  readonly keepProofs: number | "archive";
  /** Number of newest blocks whose state is kept, at least `MIN_KEPT_STATES`. */
  readonly pruneHistory: number | "archive";
  /**
   * Whether to also keep tries from the newest L1-accepted block on, because later blocks still have to be
   * proven. Default: no.
   */
  readonly keepUnsettledProofs?: boolean;
}

/** Settings of a chain writer. */
export interface ChainWriterOptions extends Partial<ChainRetention> {
  /** Maximum size of cached trie nodes in bytes; default: `DEFAULT_TRIE_CACHE_MIB`. */
  readonly trieCacheBytes?: number;
}

/** Progress of a revert. */
export interface RevertProgress {
  /** `blocks`: reverting blocks; `tries`: rebuilding tries that are no longer kept. */
  readonly phase: "blocks" | "tries";
  readonly done: number;
  /** In the unit of {@link done}: blocks, or contracts. */
  readonly total: number;
}

/** The only way to change the chain database. One writer per process and file. */
export interface ChainWriter {
  /**
   * Stores the block on top of the newest one and deletes a portion of pruned data, in one transaction. On
   * return the block is durable (with `durability: "full"`).
   *
   * @throws {StorageError} STORAGE_WRONG_PARENT when the block does not follow the newest block,
   *   STORAGE_FAILED when the database fails (nothing is stored)
   */
  commitBlock(commit: BlockCommit): void;
  /**
   * Makes an empty database a chain that continues another one after the last of `headers`: its first block
   * has the next number and that header's hash as parent. Later calls replace the headers while no block is
   * stored.
   *
   * @param headers - of consecutive blocks, oldest first; from 1 to 11
   * @throws {StorageError} STORAGE_NOT_EMPTY when a block is stored
   * @throws {InvariantError} when the headers are not linked, or their number is out of range
   */
  beginAfter(headers: readonly BlockHeader[]): void;
  /**
   * Removes all blocks above `blockNumber` (-1 removes everything) in one transaction. Tries that are no
   * longer kept are rebuilt from the state.
   *
   * @param onProgress - called periodically with the progress
   * @throws {StorageError} STORAGE_NO_OLDER below the first block of a chain that does not start with block 0;
   *   STORAGE_PRUNED
   *   when that block's state is no longer kept, except for block 0, whose own diff restores it;
   *   STORAGE_ROOT_MISMATCH when rebuilt tries do not match the root in its header. Nothing is changed on
   *   failure
   */
  revertTo(blockNumber: number, onProgress?: (progress: RevertProgress) => void): void;
  /** Records that blocks up to `blockNumber` are accepted on L1; lower numbers are ignored. */
  setL1Accepted(blockNumber: number): void;
  /** Clears L1 acceptance, because the chain restarts from the beginning. */
  forgetL1Accepted(): void;
  /** Stores a node's value under `key`, or removes it if `undefined`. */
  putValue(key: string, value: Uint8Array | undefined): void;
  /** Newest tries with a cache of nodes, for computing the next block's roots. */
  readonly trieStore: TrieStore;
  /** Number of trie pages read from the file so far because they were not in memory. */
  readonly triePagesRead: number;
  /**
   * Deletes one more small portion of pruned data. Each block deletes one anyway, so this is for chains
   * without new blocks.
   *
   * @returns whether anything is left to delete
   */
  pruneMore(): boolean;
  /** Empties {@link trieStore}'s cache: nodes are read from the file again. */
  forgetTries(): void;
}
