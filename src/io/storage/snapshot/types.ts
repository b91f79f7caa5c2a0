import type { Felt } from "#base/primitives/index.ts";
import type { BlockBundle, BlockHeader, EncodedClass } from "#protocol/chain/index.ts";
import type { StoredL1Message } from "../types.ts";

/** A contract after a block. */
export interface SnapshotContract {
  readonly address: Felt;
  readonly classHash: Felt;
  readonly nonce: Felt;
}

/** A storage variable after a block; its value is not 0. */
export interface SnapshotStorage {
  readonly contractAddress: Felt;
  readonly key: Felt;
  readonly value: Felt;
}

/** A class that is declared after a block. */
export interface SnapshotClass extends EncodedClass {
  /** As the state has it after the block, migrated or not; `null` for a Cairo 0 class. */
  readonly compiledClassHash: Felt | null;
  readonly declaredAtBlock: number;
}

/**
 * All that a chain is after a block, page by page in the order of its keys. Holds one state of the
 * database from the first page to {@link close}, whatever a node beside it commits.
 *
 * Pages are empty at their end. `after` is the last row of the page before.
 */
export interface SnapshotReader {
  readonly blockNumber: number;
  contracts(after: SnapshotContract | undefined, max: number): readonly SnapshotContract[];
  storage(after: SnapshotStorage | undefined, max: number): readonly SnapshotStorage[];
  classes(after: SnapshotClass | undefined, max: number): readonly SnapshotClass[];
  /** Every message from L1 that was consumed up to the block, by nonce. */
  messages(after: StoredL1Message | undefined, max: number): readonly StoredL1Message[];
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
 * Makes a chain that begins with the state after a block, in a database without one. Rows come in the order
 * in which a {@link SnapshotReader} tells them; each call is one transaction, durable when it returns.
 */
export interface SnapshotWriter {
  addContracts(contracts: readonly SnapshotContract[]): void;
  addStorage(storage: readonly SnapshotStorage[]): void;
  addClasses(classes: readonly SnapshotClass[]): void;
  addMessages(messages: readonly StoredL1Message[]): void;
  /**
   * Builds both tries from what was added and stores the block: only from then on it is a chain.
   *
   * @param onProgress - is told now and then how many contracts of all are done
   * @throws {StorageError} STORAGE_ROOT_MISMATCH when the state has not the root of the block's header:
   *   it is no chain then
   */
  finish(end: SnapshotEnd, onProgress: (done: number, total: number) => void): void;
}
