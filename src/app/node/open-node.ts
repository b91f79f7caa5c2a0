import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";
import { SYSTEM_CLOCK } from "#services/sequencer/index.ts";
import { ChainView } from "./chain/chain-view.ts";
import { requireClock } from "./chain/require-clock.ts";
import { resumeTime } from "./devnet/start-devnet.ts";
import { openChain } from "./folder/open-chain.ts";
import { prepareFolder } from "./folder/prepare.ts";
import { prepareFollower } from "./folder/prepare-follower.ts";
import type { PreparedFolder } from "./folder/prepared-folder.ts";
import { notePublished, publishedBlocks } from "./folder/published-blocks.ts";
import { bindDatabases, bindJournals } from "./folder/bind-folder.ts";
import type { FolderRequest } from "./folder/folder-request.ts";
import { resetOf } from "./folder/reset-folder.ts";
import { l1ChainPort } from "./l1/chain-port.ts";
import type { L1Connection } from "./l1/followed-l1.ts";
import { openL1 } from "./l1/open-l1.ts";
import { noPrices } from "./l1/start-rules.ts";
import { type SharedChain, SharedStart } from "./replication/open-shared.ts";
import type { L1Report } from "./reports/l1-report.ts";
import { logFixedL1, logOldPrices } from "./reports/start-log.ts";
import { logPrepared } from "./reports/start-report.ts";
import { l1PricesOfBlock } from "./setup/l1-prices.ts";
import type { NodeOptions } from "./setup/node-options.ts";
import type { NodeSetup } from "./setup/setup.ts";

/** Parts of a node that open before its threads start. */
export interface OpenedNode {
  /** Setup with the node's initial L1 prices. */
  readonly setup: NodeSetup;
  readonly prepared: PreparedFolder;
  /** Chain as the main thread reads it. */
  readonly view: ChainView;
  /** Chain on disk, including blocks that are not visible. */
  readonly stored: StoredChainReader;
  /** `null` if L1 is not followed. */
  readonly l1: L1Connection | null;
  /** Chain data for following L1. */
  readonly l1Chain: L1ChainPort;
  /** `null` if the chain is not shared. */
  readonly shared: SharedChain | null;
}

/** Dependencies of {@link openNode}. */
export interface OpenDeps {
  readonly l1Report: L1Report;
  readonly log: Logger;
  readonly timer: Timer;
}

/**
 * Connects to L1, takes the data directory and opens the chain. For a new chain that this node produces, it
 * stores the genesis.
 *
 * @param disposables - releases all of this
 * @throws {AppError} as {@link openL1}, {@link prepareFolder} and {@link prepareFollower}
 * @throws {NodeError} when a new chain has no initial prices, and as {@link requireClock}
 */
export async function openNode(
  options: NodeOptions,
  setup: NodeSetup,
  { l1Report: report, log, timer }: OpenDeps,
  disposables: AsyncDisposableStack,
): Promise<OpenedNode> {
  log.info("database", { path: setup.files.chainDatabase });
  const l1 = await openL1(options, { report, log, timer }, disposables);
  const pricedSetup = { ...setup, l1Prices: l1?.startPrices ?? setup.l1Prices };
  // Checked before the reset: otherwise the old chain would be deleted although the new one cannot start.
  if (options.reset && l1?.finding !== undefined) throw noPrices(l1.finding);
  const start = new SharedStart(options, { setup: pricedSetup, log, timer }, disposables);
  const { newChain } = options;
  const request = { reset: resetOf(options), newChain, mayBegin: () => start.mayBegin() };
  const prepared = await openFolder(options, pricedSetup, request, disposables);
  logPrepared(prepared, options, log);
  // A follower gets block 0 with its prices.
  const makesGenesis = setup.follow === null && !prepared.isResumed;
  if (l1?.finding !== undefined && makesGenesis) throw noPrices(l1.finding);
  if (l1 === null && setup.follow === null) logFixedL1(setup.l1Prices, log);
  const shared = await start.join(prepared);
  const openedChain = await openChain(pricedSetup);
  disposables.defer(() => openedChain.close());
  bindOpened(pricedSetup, openedChain.chain, log, false);
  const makesBlocks = pricedSetup.follow === null && !options.trustClock;
  // A development chain has a separate clock.
  if (makesBlocks && pricedSetup.devnet === null) requireClock(openedChain.chain, SYSTEM_CLOCK);
  await forgetPublished(options, pricedSetup, openedChain.chain);
  const view = new ChainView(openedChain.chain, timer);
  const resumed = l1 === null ? pricedSetup : withPricesOfChain(pricedSetup, l1, view.chain, log);
  resumeTime(resumed, view.chain);
  const stored = openedChain.chain;
  return { setup: resumed, prepared, view, stored, l1, l1Chain: l1ChainPort(view, stored), shared };
}

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

/**
 * Clears the publication state when a sequencer no longer shares its chain: it may then revert its blocks.
 */
async function forgetPublished(
  { replication, follow }: NodeOptions,
  setup: NodeSetup,
  chain: Pick<StoredChainReader, "value">,
): Promise<void> {
  const isUnshared = replication === null && follow === null;
  if (isUnshared && publishedBlocks(chain) !== undefined) await notePublished(setup, undefined);
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

/** Falls back to the newest block's prices if L1 reports none. */
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
