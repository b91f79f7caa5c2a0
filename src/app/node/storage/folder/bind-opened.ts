import type { Logger } from "#base/telemetry/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { bindDatabases, bindJournals } from "./bind-folder.ts";

/**
 * Binds the files of the data directory to its chain; skipped on a follower that has no chain yet.
 *
 * @param isStarted - whether threads have the files open, so that missing ones have been created
 * @throws {StorageError} as {@link bindJournals} and {@link bindDatabases}
 */
export function bindOpened(
  { files, config: { chainId }, follow }: Pick<NodeSetup, "files" | "config" | "follow">,
  chain: Pick<StoredChainReader, "header" | "oldestBlock">,
  log: Pick<Logger, "warn">,
  isStarted: boolean,
): void {
  const genesisHash = chain.header(chain.oldestBlock())?.hash ?? null;
  if (genesisHash === null && follow !== null) return;
  if (!isStarted) bindJournals(files, { genesisHash }, follow === null);
  bindDatabases(files, { chainId, genesisHash }, log);
}
