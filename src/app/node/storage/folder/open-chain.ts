import { createChainReader, openDatabase, type StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";

/** Read-only handle of the chain database, for one thread. */
export interface OpenChain {
  readonly chain: StoredChainReader;
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
  return { chain: createChainReader(database), close: () => database.close() };
}
