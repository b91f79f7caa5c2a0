import { createChainReader, openDatabase, type StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import type { PreparableStatements } from "../../threads/warm-up/prepare-statements.ts";

/** Read-only handle of the chain database, for one thread. */
export interface OpenChain {
  readonly chain: StoredChainReader;
  readonly statements: PreparableStatements;
  readonly close: () => void;
}

/**
 * Opens the chain database for reading.
 *
 * @throws {StorageError} as {@link openDatabase}
 */
export async function openChain(setup: NodeSetup): Promise<OpenChain> {
  const database = await openDatabase({
    path: setup.files.chainDatabase,
    chainId: setup.config.chainId,
    mode: "reader",
    durability: "full",
  });
  const { statements } = database;
  return { chain: createChainReader(database), statements, close: () => database.close() };
}
