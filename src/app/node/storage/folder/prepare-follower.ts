import { createChainReader, createChainWriter, type DatabaseHandle } from "#io/storage/index.ts";
import { isStandby } from "../../setup/follow.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import {
  decodeMetadata,
  encodeMetadata,
  isFollowed,
  metadataOfFollowed,
  metadataOfNextStart,
  METADATA_KEY,
  requireSameFollowed,
} from "./chain-metadata.ts";
import { requireSameFork } from "./fork-metadata.ts";
import type { FolderRequest } from "./folder-request.ts";
import { requireFollowed } from "./folder-role.ts";
import { prepareLocked } from "./prepare-locked.ts";
import { NO_ACCOUNTS, type PreparedFolder } from "./prepared-folder.ts";

/**
 * Prepares a data directory for a full node: creates and locks it, and creates or migrates the chain
 * database. It reads or creates no key and no block: all blocks come from the gateway, including block 0.
 *
 * @throws {StorageError} when another process uses the folder, or its database is of another chain
 * @throws {ConfigError} when the configuration contradicts the blocks of the chain, or the folder is a
 *   sequencer's
 */
export async function prepareFollower(
  setup: NodeSetup,
  request: FolderRequest,
): Promise<PreparedFolder> {
  const { folder, made } = await prepareLocked(setup, request, "normal", (database) =>
    prepareChain(setup, database),
  );
  return { folder, ...NO_ACCOUNTS, ...made };
}

function prepareChain(
  { files, config, follow }: NodeSetup,
  database: DatabaseHandle,
): Pick<PreparedFolder, "nextBlock" | "isResumed"> {
  const chain = createChainReader(database);
  const newest = chain.header(chain.latestNumber() ?? -1);
  const metadata = newest === undefined ? {} : decodeMetadata(chain.value(METADATA_KEY));
  if (newest !== undefined) {
    requireSameFork(metadata, null, files.folder);
    // A standby continues the chain that it produced, with its waiting transactions.
    if (follow === null || !isStandby(follow)) requireFollowed(metadata, files);
    requireSameFollowed(metadata, config, newest, files.folder);
  }
  const next =
    newest === undefined || isFollowed(metadata)
      ? { ...metadataOfFollowed(config), ...metadata }
      : metadataOfNextStart(metadata, config, newest);
  createChainWriter(database).putValue(METADATA_KEY, encodeMetadata(next));
  return { nextBlock: (newest?.number ?? -1) + 1, isResumed: newest !== undefined };
}
