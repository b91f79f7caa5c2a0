import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import {
  decodeMetadata,
  encodeMetadata,
  METADATA_KEY,
  metadataOfNextStart,
  requireSameChain,
} from "./chain-metadata.ts";

/**
 * Notes that the blocks of a chain that was followed are made here from now on. No thread has its database
 * open.
 *
 * @throws {ConfigError} when the configuration contradicts the blocks that were taken
 * @throws {StorageError} when the database cannot be written
 */
export async function beginMaking({
  files,
  config,
}: Pick<NodeSetup, "files" | "config">): Promise<void> {
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  try {
    const chain = createChainReader(database);
    const newest = chain.header(chain.latestNumber() ?? -1);
    if (newest === undefined) return;
    const metadata = decodeMetadata(chain.value(METADATA_KEY));
    requireSameChain(metadata, config, null, newest, files.folder);
    createChainWriter(database).putValue(
      METADATA_KEY,
      encodeMetadata(metadataOfNextStart(metadata, config, newest)),
    );
  } finally {
    database.close();
  }
}
