import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";
import { SYSTEM_CLOCK } from "#services/sequencer/index.ts";
import { ChainView } from "./storage/chain/chain-view.ts";
import { requireClock } from "./storage/chain/require-clock.ts";
import { resumeTime } from "./setup/devnet-setup.ts";
import { openChain } from "./storage/folder/open-chain.ts";
import { prepareFolder } from "./storage/folder/prepare.ts";
import { prepareFollower } from "./storage/folder/prepare-follower.ts";
import type { PreparedFolder } from "./storage/folder/prepared-folder.ts";
import { notePublished, publishedBlocks } from "./storage/folder/published-blocks.ts";
import { bindDatabases, bindJournals } from "./storage/folder/bind-folder.ts";
import type { FolderRequest } from "./storage/folder/folder-request.ts";
import { resetOf } from "./storage/folder/reset-folder.ts";
import { l1ChainPort } from "./l1/chain-port.ts";
import type { L1Connection } from "./l1/l1-connection.ts";
import { openL1 } from "./l1/open-l1.ts";
import { noPrices } from "./l1/start-rules.ts";
import { type SharedChain, SharedStart } from "./replication/open-shared.ts";
import type { L1Report } from "./l1/reports/l1-report.ts";
import { logFixedL1, logOldPrices } from "./metrics/start-log.ts";
import { logPrepared } from "./storage/reports/start-report.ts";
import { l1PricesOfBlock } from "./setup/l1-prices.ts";
import type { NodeOptions } from "./setup/node-options.ts";
import type { NodeSetup } from "./setup/setup.ts";

/** What a node opens before its threads start. */
export interface OpenedNode {
  /** With the prices of L1 that the node starts with. */
  readonly setup: NodeSetup;
  readonly prepared: PreparedFolder;
  /** The chain, for the main thread's reads. */
  readonly view: ChainView;
  /** What is on disk, whether it is shown or not. */
  readonly stored: StoredChainReader;
  /** `null`: L1 is not followed. */
  readonly l1: L1Connection | null;
  /** The chain as those who follow L1 see it. */
  readonly l1Chain: L1ChainPort;
  /** `null`: the chain is not shared. */
  readonly shared: SharedChain | null;
}

/** What opening works with. */
export interface OpenDeps {
  readonly l1Report: L1Report;
  readonly log: Logger;
  readonly timer: Timer;
}

/**
 * Reaches L1, takes the data directory and opens the chain; of a new chain that is made here it stores the
 * genesis.
 *
 * @param disposables - gets what gives all of that back
 * @throws {AppError} as {@link openL1}, {@link prepareFolder} and {@link prepareFollower}
 * @throws {NodeError} when a new chain has no prices to begin with, and as {@link requireClock}
 */
export async function openNode(
  options: NodeOptions,
  setup: NodeSetup,
  { l1Report: report, log, timer }: OpenDeps,
  disposables: AsyncDisposableStack,
): Promise<OpenedNode> {
  log.info("database", { path: setup.files.chainDatabase });
  const l1 = await openL1(options, { report, log, timer }, disposables);
  const told = { ...setup, l1Prices: l1?.startPrices ?? setup.l1Prices };
  // What is deleted is gone also when its successor cannot start.
  if (options.reset && l1?.finding !== undefined) throw noPrices(l1.finding);
  const start = new SharedStart(options, { setup: told, log, timer }, disposables);
  const { newChain } = options;
  const request = { reset: resetOf(options), newChain, mayBegin: () => start.mayBegin() };
  const prepared = await openFolder(options, told, request, disposables);
  logPrepared(prepared, options, log);
  // Whoever follows takes block 0 with its prices.
  const makesGenesis = setup.follow === null && !prepared.isResumed;
  if (l1?.finding !== undefined && makesGenesis) throw noPrices(l1.finding);
  if (l1 === null && setup.follow === null) logFixedL1(setup.l1Prices, log);
  const shared = await start.join(prepared);
  const opened = await openChain(told);
  disposables.defer(() => opened.close());
  bindOpened(told, opened.chain, log, false);
  const makesBlocks = told.follow === null && !options.trustClock;
  // A development chain has a time of its own.
  if (makesBlocks && told.devnet === null) requireClock(opened.chain, SYSTEM_CLOCK);
  await forgetPublished(options, told, opened.chain);
  const view = new ChainView(opened.chain, timer);
  const resumed = l1 === null ? told : withPricesOfChain(told, l1, view.chain, log);
  resumeTime(resumed, view.chain);
  const stored = opened.chain;
  return { setup: resumed, prepared, view, stored, l1, l1Chain: l1ChainPort(view, stored), shared };
}

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

/** The blocks of a sequencer that stands alone from now on are its own to revert. */
async function forgetPublished(
  { replication, follow }: NodeOptions,
  setup: NodeSetup,
  chain: Pick<StoredChainReader, "value">,
): Promise<void> {
  const standsAlone = replication === null && follow === null;
  if (standsAlone && publishedBlocks(chain) !== undefined) await notePublished(setup, undefined);
}

async function openFolder(
  options: NodeOptions,
  setup: NodeSetup,
  request: FolderRequest,
  disposables: AsyncDisposableStack,
): Promise<PreparedFolder> {
  const prepared =
    setup.follow === null
      ? await prepareFolder(setup, options.devAccounts, request)
      : await prepareFollower(setup, request);
  disposables.defer(() => prepared.folder.release());
  return prepared;
}

/** Where L1 tells no prices, those of the newest block hold. */
function withPricesOfChain(
  setup: NodeSetup,
  l1: L1Connection,
  chain: ChainView["chain"],
  log: Logger,
): NodeSetup {
  const newest = chain.header(chain.latestNumber() ?? -1);
  if (l1.finding === undefined || newest === undefined) return setup;
  logOldPrices(l1.finding, log);
  return { ...setup, l1Prices: l1.resume(l1PricesOfBlock(newest)) };
}
