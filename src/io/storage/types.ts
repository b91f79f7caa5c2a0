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
  /** Who consumed the L1 message with this nonce of the core contract; `undefined` when nobody has. */
  consumedL1Message(nonce: bigint): StoredL1Message | undefined;
  /** Tries as of a block. */
  trieAt(blockNumber: number): TrieReader;
  /** Oldest block whose tries are complete; 0 when nothing was pruned. */
  oldestTrieBlock(): number;
  /** A value that the node stored with {@link ChainWriter.putValue}. */
  value(key: string): Uint8Array | undefined;
}

/** A block to store, with what it changes in the tries. */
export interface BlockCommit extends BlockBundle {
  readonly trie: TrieChanges;
}

/** The only way to change the chain database. One writer per process and file. */
export interface ChainWriter {
  /**
   * Stores the block on top of the newest one, in one transaction. When this returns the block is
   * durable (with `durability: "full"`).
   *
   * @throws {StorageError} STORAGE_WRONG_PARENT when the block does not follow the newest block,
   *   STORAGE_FAILED when the database fails (nothing is stored then)
   */
  commitBlock(commit: BlockCommit): void;
  /**
   * Removes all blocks above `blockNumber` (-1 removes everything) in one transaction.
   *
   * @throws {StorageError} STORAGE_PRUNED when the tries of that block are pruned
   */
  unwindTo(blockNumber: number): void;
  /** Records that blocks up to `blockNumber` are accepted on L1; lower numbers are ignored. */
  setL1Accepted(blockNumber: number): void;
  /** Stores or (`undefined`) removes a value of the node under `key`. */
  putValue(key: string, value: Uint8Array | undefined): void;
  /** The newest tries with a cache of nodes, for building the next block's roots. */
  readonly trieStore: TrieStore;
  /**
   * Deletes trie nodes that only blocks below `blockNumber` use. Their tries cannot be read any
   * more, and the chain cannot be unwound below `blockNumber`.
   *
   * @returns the number of deleted nodes
   */
  pruneTries(blockNumber: number): number;
}
