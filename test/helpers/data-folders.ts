import { nodeHost } from "#test/helpers/node-host.ts";
import { rmSync } from "node:fs";
import {
  encodeMetadata,
  METADATA_KEY,
  metadataOfFollowed,
} from "#app/node/storage/folder/chain-metadata.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { openGuard } from "#app/node/storage/folder/open-guard.ts";
import { writeChain } from "#app/node/storage/folder/write-chain.ts";
import { DiskProbe } from "#app/node/threads/health/disk-probe.ts";
import { setupOf } from "#app/node/setup/node-setup.ts";
import { tryFiles } from "#app/node/storage/folder/try-files.ts";
import { bindOpened } from "#app/node/storage/folder/bind-opened.ts";
import { openStorage, takeFolder } from "#app/node/storage/part.ts";
import { NO_L1 } from "#app/node/l1/l1-connection.ts";
import { openChain } from "#app/node/storage/folder/open-chain.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { AppError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { defaultsOf, nodeOptions as declaredOptions } from "#app/options/index.ts";
import { nodeOptions } from "./node-options.ts";
import { createChainWriter, openCompiledClasses, openMempoolStore } from "#io/storage/index.ts";

/** Roles of the data directories of {@link makeDataFolder}. */
export type DataFolderRole = "sequencer" | "full";

/** An unreachable gateway. */
const GATEWAY = {
  feeder: "http://127.0.0.1:1/feeder_gateway",
  gateway: "http://127.0.0.1:1/gateway",
};
const { gatewayUrls: _replaced, ...followSettings } = defaultsOf(declaredOptions.follow);

/** Follow options of the full nodes in these tests: an unreachable gateway. */
export const FOLLOW = {
  ...followSettings,
  store: null,
  gateways: [GATEWAY],
} as const;

/** Options of a node on a data directory. */
export function dataFolderOptions(role: DataFolderRole, basePath: string): Promise<NodeOptions> {
  return nodeOptions({
    basePath,
    devAccounts: null,
    signal: new AbortController().signal,
    ...(role === "full" ? { role, follow: FOLLOW } : {}),
  });
}

const SILENT = { warn: () => undefined };

/**
 * Creates a data directory in the state of a stopped node, with every file of its role.
 *
 * @param l1GasWei - price of L1 gas in block 0: another price makes another chain
 */
export async function makeDataFolder(options: NodeOptions, l1GasWei: bigint): Promise<void> {
  const setup = setupOf({ ...options, follow: null }, null);
  const prices = { ...setup.l1Prices, l1GasWei };
  const { folder } = await prepareFolder({ ...setup, l1Prices: prices }, null);
  try {
    if (options.follow !== null) {
      await writeChain(setup, "full", (database) => {
        const metadata = encodeMetadata(metadataOfFollowed(setup.config));
        createChainWriter(database).putValue(METADATA_KEY, metadata);
      });
    }
    const { chain, close } = await openChain(setup);
    await openFiles({ ...setup, follow: options.follow });
    bindOpened({ ...setup, follow: options.follow }, chain, SILENT, false);
    close();
    if (options.follow !== null) rmSync(setup.files.signingKey.path);
    folder.keep();
  } finally {
    folder.release();
  }
}

/** Opens each file of a role as its thread does, and closes it; missing files are created. */
export async function openFiles({ files, config, follow }: NodeSetup): Promise<void> {
  const { chainId } = config;
  (await openCompiledClasses({ path: files.compiledDatabase, chainId, compiler: "test" })).close();
  const probe = new DiskProbe(files.diskProbe);
  probe.touch();
  probe.close();
  if (follow !== null) return;
  (await openMempoolStore(files.mempoolDatabase, chainId)).close();
  const { executionJournal, commitJournal, validationJournal, validatorJournals } = files;
  const [validator = validationJournal] = validatorJournals;
  for (const path of [executionJournal, commitJournal, validationJournal, validator]) {
    const { guard, close } = openGuard(path, () => undefined);
    guard.run(1, () => guard.beforeTransaction(1n));
    close();
  }
}

/**
 * Opens a node on a folder, and the files of its threads.
 *
 * @returns the reason if that is rejected
 */
export async function startOn(options: NodeOptions): Promise<string | undefined> {
  const log = createLogger({ level: "error", format: "text", write: () => undefined });
  await using disposables = new AsyncDisposableStack();
  const setup = setupOf(options, null);
  try {
    tryFiles(options, setup);
    const timer = SYSTEM_TIMER;
    const host = nodeHost({ log, timer, disposables });
    const store = { mayBegin: () => Promise.resolve(true) };
    const folder = await takeFolder(options, { setup, origin: null, l1: NO_L1, store }, host);
    const storage = await openStorage(options, { folder, l1: NO_L1 }, host);
    await openFiles(storage.setup);
    folder.prepared.folder.keep();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}
