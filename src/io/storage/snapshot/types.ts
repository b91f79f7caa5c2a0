import type { Felt } from "#base/primitives/index.ts";
import type { BlockBundle, BlockHeader, EncodedClass } from "#protocol/chain/index.ts";

/** A contract after a block; where its class hash and nonce are 0 it has storage. */
export interface SnapshotContract {
  readonly address: Felt;
  readonly classHash: Felt;
  readonly nonce: Felt;
}

/** A storage variable after a block; 0 where one that was set is no longer. */
export interface SnapshotStorage {
  readonly contractAddress: Felt;
  readonly key: Felt;
  readonly value: Felt;
  /** The block that wrote it last. No hash of the chain covers this number. */
  readonly updatedAtBlock: number;
}

/** A class that is declared after a block. */
export interface SnapshotClass extends EncodedClass {
  /** As the state has it after the block, migrated or not; `null` for a Cairo 0 class. */
  readonly compiledClassHash: Felt | null;
  readonly declaredAtBlock: number;
}

/** A message from L1 that was consumed. No hash of the state covers it. */
export interface SnapshotMessage {
  /** Nonce of the core contract: 256 bits. */
  readonly nonce: bigint;
  /** The block that consumed it. */
  readonly blockNumber: number;
  /** Among the messages that the block consumed, from 0. */
  readonly position: number;
  /** Hash of the L1 handler transaction. */
  readonly transactionHash: Felt;
  /** Hash of the L1 transaction that sent it: 256 bits; `null` when unknown. */
  readonly l1TransactionHash: bigint | null;
}

/**
 * All that a chain is after a block, page by page in the order of its keys: of contracts the address, of
 * storage the contract and then the key, of classes the hash, of messages the nonce and then the block.
 * Keys are compared as their minimal big-endian bytes, a prefix first: 0x0100 stands before 0x02. Holds one
 * state of the database from the first page to {@link close}, whatever a node beside it commits.
 *
 * Pages are empty at their end. `after` is the last row of the page before.
 */
export interface SnapshotReader {
  readonly blockNumber: number;
  contracts(after: SnapshotContract | undefined, max: number): readonly SnapshotContract[];
  storage(after: SnapshotStorage | undefined, max: number): readonly SnapshotStorage[];
  classes(after: SnapshotClass | undefined, max: number): readonly SnapshotClass[];
  /** Every message from L1 that was consumed up to the block, by nonce. */
  messages(after: SnapshotMessage | undefined, max: number): readonly SnapshotMessage[];
  /** Of the block and those before it that later blocks need: ascending, the block last. */
  headers(): readonly BlockHeader[];
  /** Bundle of the block, or of a later one; `undefined` behind the newest. */
  bundleBytes(blockNumber: number): Uint8Array | undefined;
  close(): void;
}

/** What a snapshot is finished with. */
export interface SnapshotEnd {
  /** The block that the state is after. */
  readonly bundle: BlockBundle;
  /** As {@link SnapshotReader.headers}, without the block. */
  readonly headers: readonly BlockHeader[];
}

/**
 * Makes a chain that begins with the state after a block, in a database without one. A contract comes
 * before its storage. Each call is one transaction, durable when it returns; the same rows may come again
 * after a kill.
 */
export interface SnapshotWriter {
  addContracts(contracts: readonly SnapshotContract[]): void;
  addStorage(storage: readonly SnapshotStorage[]): void;
  addClasses(classes: readonly SnapshotClass[]): void;
  addMessages(messages: readonly SnapshotMessage[]): void;
  /**
   * Builds both tries from what was added and stores the block: only from then on it is a chain.
   *
   * @param onProgress - is told now and then how many contracts of all are done
   * @throws {StorageError} STORAGE_ROOT_MISMATCH when the state has not the root of the block's header:
   *   it is no chain then
   */
  finish(end: SnapshotEnd, onProgress: (done: number, total: number) => void): void;
}
