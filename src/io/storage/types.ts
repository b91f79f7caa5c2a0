import type { Felt } from "#base/primitives/index.ts";
import type { BlockBundle, BlockInputs } from "#protocol/chain/index.ts";
import type { ChainReader, ConsumedL1Message } from "#engine/state/index.ts";
import type { TrieChanges, TrieReader, TrieStore } from "#protocol/trie/index.ts";

/** A Sierra class's compiled code as stored. */
export interface StoredCasm {
  /** The compiled class as JSON text, as it was committed. */
  readonly casmJson: string;
  readonly sierraVersion: readonly [number, number, number];
  readonly declaredAtBlock: number;
}

/** A message from L1 that a block consumed. */
export type StoredL1Message = ConsumedL1Message;

/** {@link ChainReader} and what only this storage has: bundles, tries, L1 messages, node values. */
export interface StoredChainReader extends ChainReader {
  /** Epoch of the sequencer that made the block. */
  epoch(blockNumber: number): number | undefined;
  /** Inputs of the block beyond its header and transactions. */
  inputs(blockNumber: number): BlockInputs | undefined;
  /** The whole block as its bundle. */
  bundle(blockNumber: number): BlockBundle | undefined;
  /** The bundle's canonical bytes, without decoding the stored parts. */
  bundleBytes(blockNumber: number): Uint8Array | undefined;
  /** Compiled code of a Sierra class; `undefined` for unknown and Cairo 0 classes. */
  casm(classHash: Felt): StoredCasm | undefined;
  /** Numbers of the blocks that declare classes, ascending. */
  declaringBlocks(): number[];
  /** The highest nonce of a consumed L1 message; `undefined` when none was consumed. */
  newestConsumedNonce(): bigint | undefined;
  /** In the lowest block, who consumed an L1 message with this nonce or a higher one. */
  firstConsumedFrom(nonce: bigint): StoredL1Message | undefined;
  /**
   * Tries as of a block. Reading them throws {@link StorageError} STORAGE_PRUNED where they are no
   * longer kept.
   */
  trieAt(blockNumber: number): TrieReader;
  /** A value that the node stored with {@link ChainWriter.putValue}. */
  value(key: string): Uint8Array | undefined;
}

/** A block to store, with what it changes in the tries. */
export interface BlockCommit extends BlockBundle {
  readonly trie: TrieChanges;
}

/** How much of the past is kept. Blocks, transactions, receipts and state diffs always are. */
export interface ChainRetention {
  /** Newest blocks whose tries are kept, at least 1. */
  readonly keepProofs: number | "archive";
  /** Newest blocks whose state is kept, at least `MIN_KEPT_STATES`. */
  readonly pruneHistory: number | "archive";
  /**
   * Whether tries are kept, besides, from the newest block on that is accepted on L1: what is not
   * accepted yet has to be proven. Default: no.
   */
  readonly keepUnsettledProofs?: boolean;
}

/** What a chain writer may be told. */
export interface ChainWriterOptions extends Partial<ChainRetention> {
  /** Most bytes of trie nodes that are kept in memory; default: `DEFAULT_TRIE_CACHE_MIB`. */
  readonly trieCacheBytes?: number;
}

/** How far a revert is. */
export interface RevertProgress {
  /** `blocks`: blocks are reverted; `tries`: tries that are no longer kept are built again. */
  readonly phase: "blocks" | "tries";
  readonly done: number;
  /** In the unit of {@link done}: blocks, or contracts. */
  readonly total: number;
}

/** The only way to change the chain database. One writer per process and file. */
export interface ChainWriter {
  /**
   * Stores the block on top of the newest one and deletes a portion of what is no longer kept, in
   * one transaction. When this returns the block is durable (with `durability: "full"`).
   *
   * @throws {StorageError} STORAGE_WRONG_PARENT when the block does not follow the newest block,
   *   STORAGE_FAILED when the database fails (nothing is stored then)
   */
  commitBlock(commit: BlockCommit): void;
  /**
   * Removes all blocks above `blockNumber` (-1 removes everything) in one transaction. Tries that are
   * no longer kept are built again from the state.
   *
   * @param onProgress - is told now and then how far it is
   * @throws {StorageError} STORAGE_NO_OLDER below the first block of a chain from a snapshot,
   *   STORAGE_PRUNED when the state of that block is no longer kept and it is not
   *   block 0, whose own diff brings it back,
   *   STORAGE_ROOT_MISMATCH when the tries that were built do not have the root of its header
   *   (nothing is changed then)
   */
  revertTo(blockNumber: number, onProgress?: (progress: RevertProgress) => void): void;
  /** Records that blocks up to `blockNumber` are accepted on L1; lower numbers are ignored. */
  setL1Accepted(blockNumber: number): void;
  /** No block is accepted on L1 any more: the chain begins anew. */
  forgetL1Accepted(): void;
  /** Stores or (`undefined`) removes a value of the node under `key`. */
  putValue(key: string, value: Uint8Array | undefined): void;
  /** The newest tries with a cache of nodes, for building the next block's roots. */
  readonly trieStore: TrieStore;
  /** Pages of tries that memory did not have and that were read from the file, so far. */
  readonly triePagesRead: number;
  /**
   * Deletes one more portion of what is no longer kept, a small one: each block deletes one, so that this
   * is for chains without blocks to come.
   *
   * @returns whether anything is left
   */
  pruneMore(): boolean;
  /** Empties {@link trieStore}'s cache: nodes are read from the file again. */
  forgetTries(): void;
}
