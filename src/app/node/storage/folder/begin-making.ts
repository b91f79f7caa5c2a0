import { createChainReader, createChainWriter } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import {
  decodeMetadata,
  encodeMetadata,
  METADATA_KEY,
  metadataOfNextStart,
  requireSameChain,
} from "./chain-metadata.ts";
import { writeChain } from "./write-chain.ts";

/**
 * Records that this node produces the next blocks of a chain it has followed so far. No thread may have the
 * database open.
 *
 * @throws {ConfigError} when the configuration contradicts the synced blocks
 * @throws {StorageError} when the database cannot be written
 */
export function beginMaking(setup: Pick<NodeSetup, "files" | "config">): Promise<void> {
  const { files, config } = setup;
  return writeChain(setup, "full", (database) => {
    const chain = createChainReader(database);
    const newest = chain.header(chain.latestNumber() ?? -1);
    if (newest === undefined) return;
    const metadata = decodeMetadata(chain.value(METADATA_KEY));
    requireSameChain(metadata, config, null, newest, files.folder);
    createChainWriter(database).putValue(
      METADATA_KEY,
      encodeMetadata(metadataOfNextStart(metadata, config, newest)),
    );
  });
}
