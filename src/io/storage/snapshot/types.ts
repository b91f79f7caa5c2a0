import type { Felt } from "#base/primitives/index.ts";
import type { BlockBundle, BlockHeader, EncodedClass } from "#protocol/chain/index.ts";

/** Contract after a block; one whose class hash and nonce are 0 has storage. */
export interface SnapshotContract {
  readonly address: Felt;
  readonly classHash: Felt;
  readonly nonce: Felt;
}

/** Storage variable after a block; 0 if it was set earlier and is unset now. */
export interface SnapshotStorage {
  readonly contractAddress: Felt;
  readonly key: Felt;
  readonly value: Felt;
  /** Block that wrote it last. No hash of the chain covers this number. */
  readonly updatedAtBlock: number;
}

/** Class that is declared after a block. */
export interface SnapshotClass extends EncodedClass {
  /** Compiled class hash in the state after the block, migrated or not; `null` for a Cairo 0 class. */
  readonly compiledClassHash: Felt | null;
  readonly declaredAtBlock: number;
}

/** Consumed message from L1. No hash of the state covers it. */
export interface SnapshotMessage {
  /** Nonce assigned by the core contract: 256 bits. */
  readonly nonce: bigint;
  readonly blockNumber: number;
  /** Position among the messages that the block consumed, from 0. */
  readonly position: number;
  /** Hash of the L1 handler transaction. */
  readonly transactionHash: Felt;
  /** Hash of the L1 transaction that sent it: 256 bits; `null` when unknown. */
  readonly l1TransactionHash: bigint | null;
}

/**
 * Reads the whole chain state after a block, page by page in key order. Keys are the address for contracts,
 * contract and key for storage, the hash for classes, and nonce and block for messages. They are compared as
 * minimal big-endian bytes, a prefix first: 0x0100 precedes 0x02. All pages until {@link close} show one
 * snapshot of the database, even while a node commits blocks.
 *
 * An empty page marks the end. `after` is the last row of the previous page.
 */
export interface SnapshotReader {
  readonly blockNumber: number;
  contracts(after: SnapshotContract | undefined, max: number): readonly SnapshotContract[];
  storage(after: SnapshotStorage | undefined, max: number): readonly SnapshotStorage[];
  classes(after: SnapshotClass | undefined, max: number): readonly SnapshotClass[];
  /** Returns all messages from L1 consumed up to the block, by nonce. */
  messages(after: SnapshotMessage | undefined, max: number): readonly SnapshotMessage[];
  /**
   * Returns the headers of the block and of the earlier blocks that later ones need: ascending, the block
   * last.
   */
  headers(): readonly BlockHeader[];
  /** Bundle of the block, or of a later one; `undefined` above the newest block. */
  bundleBytes(blockNumber: number): Uint8Array | undefined;
  close(): void;
}

/** Final part of a snapshot. */
export interface SnapshotEnd {
  /** Block after which the state was taken. */
  readonly bundle: BlockBundle;
  /** Same as {@link SnapshotReader.headers}, without the block itself. */
  readonly headers: readonly BlockHeader[];
}

/**
 * Builds a chain that starts with the state after a block, in an empty database. A contract must be added
 * before its storage. Each call is one transaction, durable on return; rows may be added again after a crash.
 */
export interface SnapshotWriter {
  addContracts(contracts: readonly SnapshotContract[]): void;
  addStorage(storage: readonly SnapshotStorage[]): void;
  addClasses(classes: readonly SnapshotClass[]): void;
  addMessages(messages: readonly SnapshotMessage[]): void;
  /**
   * Builds both tries from the added rows and stores the block, which makes the database a valid chain.
   *
   * @param onProgress - called periodically with the number of processed and of all contracts
   * @throws {StorageError} STORAGE_ROOT_MISMATCH when the state root differs from that in the block's header;
   *   the database is then not a valid chain
   */
  finish(end: SnapshotEnd, onProgress: (done: number, total: number) => void): void;
}
