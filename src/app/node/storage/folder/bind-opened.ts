import type { Logger } from "#base/telemetry/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { bindDatabases, bindJournals } from "./bind-folder.ts";

/**
 * Makes the files of the data directory those of its chain; a node that follows may not have one yet.
 *
 * @param isStarted - threads have the files open, and those that were missing are there
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
