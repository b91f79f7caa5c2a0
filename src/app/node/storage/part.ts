/**
 * Storage: the data directory and the chain in it.
 *
 * - Options: `basePath`, `reset`, `newChain`, `devAccounts`, `storage`, `trustClock`.
 * - Threads: `reverter`, only while blocks are reverted.
 * - Needs: start prices of L1, and the object store's word on who makes block 0.
 * - Offers: {@link NodeFolder}, then {@link OpenedStorage}: the chain as the main thread sees it.
 * - Ready: once the genesis is stored or the chain of the folder is open.
 * - Stops: closes the chain, then releases the folder's lock.
 */
import { ForkedChain } from "#engine/state/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { type L1Prices, SYSTEM_CLOCK } from "#services/sequencer/index.ts";
import { logFixedL1, logOldPrices } from "./reports/l1-price-log.ts";
import { resumeTime } from "../setup/devnet-setup.ts";
import { type KnownOrigin, knownOrigin } from "../setup/fork/known-origin.ts";
import { l1PricesOfBlock } from "../setup/l1-prices.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { screenLog } from "../setup/start-screen.ts";
import { prepareStatements } from "../threads/warm-up/prepare-statements.ts";
import { ChainView } from "./chain/chain-view.ts";
import { requireClock } from "./chain/require-clock.ts";
import { bindOpened } from "./folder/bind-opened.ts";
import type { FolderRequest } from "./folder/folder-request.ts";
import { noPrices } from "./folder/no-prices.ts";
import { openChain } from "./folder/open-chain.ts";
import { prepareFollower } from "./folder/prepare-follower.ts";
import { type ForkOrigin, prepareFork } from "./folder/prepare-fork.ts";
import { prepareFolder } from "./folder/prepare.ts";
import type { PreparedFolder } from "./folder/prepared-folder.ts";
import { notePublished, publishedBlocks } from "./folder/published-blocks.ts";
import { resetOf } from "./folder/reset-folder.ts";
import { logPrepared } from "./reports/start-report.ts";

/** Prices that a chain starts with. */
export interface StartPrices {
  /** Prices that L1 answered; `undefined` when it answered none. */
  readonly startPrices: L1Prices | undefined;
  /** Reason why L1 answered no prices; `undefined` when it did, or when none are needed. */
  readonly finding: string | undefined;
  /** Continues with the prices of the newest block. @returns the prices to start with */
  resume(prices: L1Prices): L1Prices;
}

/** Other parts of the node that {@link takeFolder} uses. */
export interface FolderNeeds {
  /** Setup derived from the node's options. */
  readonly setup: NodeSetup;
  /** Origin of a fork's first block; `null` on a chain that is no fork. */
  readonly origin: ForkOrigin | null;
  readonly l1: StartPrices;
  /** Decides whether this node makes block 0 of a chain that has none. */
  readonly store: { mayBegin(): Promise<boolean> };
}

/** A data directory that this process has locked, with a chain in it unless the node follows one. */
export interface NodeFolder {
  /** Setup with the prices that the chain starts with. */
  readonly setup: NodeSetup;
  readonly prepared: PreparedFolder;
}

/**
 * Locks the data directory and stores the genesis of a new chain that is made here.
 *
 * @throws {AppError} as {@link prepareFolder} and {@link prepareFollower}
 * @throws {NodeError} when a new chain has no prices to start with
 */
export async function takeFolder(
  options: NodeOptions,
  { setup: unpriced, origin, l1, store }: FolderNeeds,
  { log, disposables }: NodeHost,
): Promise<NodeFolder> {
  const shown = screenLog(options, log);
  const setup = { ...unpriced, l1Prices: l1.startPrices ?? unpriced.l1Prices };
  // A reset deletes the old chain: it must not run when the new chain cannot start.
  if (options.reset && l1.finding !== undefined) throw noPrices(l1.finding);
  const request: FolderRequest = {
    reset: resetOf(options),
    newChain: options.newChain,
    mayBegin: () => store.mayBegin(),
  };
  const prepared = await prepare(options, setup, origin, request);
  disposables.defer(() => prepared.folder.release());
  logPrepared(prepared, options, log);
  // A follower takes block 0 with its prices from the source.
  const makesGenesis = setup.follow === null && !prepared.isResumed;
  if (l1.finding !== undefined && makesGenesis) throw noPrices(l1.finding);
  if (!setup.followsL1 && setup.follow === null) logFixedL1(setup.l1Prices, shown);
  return { setup, prepared };
}

function prepare(
  { devAccounts }: Pick<NodeOptions, "devAccounts">,
  setup: NodeSetup,
  origin: ForkOrigin | null,
  request: FolderRequest,
): Promise<PreparedFolder> {
  const { fork, follow } = setup;
  if (follow !== null) return prepareFollower(setup, request);
  if (fork === null || origin === null) return prepareFolder(setup, devAccounts, request);
  return prepareFork({ ...setup, fork }, devAccounts, request, origin);
}

/** Other parts of the node that {@link openStorage} uses. */
export interface StorageNeeds {
  readonly folder: NodeFolder;
  readonly l1: StartPrices;
}

/** The open chain. */
export interface OpenedStorage {
  /** Setup with the prices that the chain continues with. */
  readonly setup: NodeSetup;
  /** The chain as the main thread has published it. */
  readonly view: ChainView;
  /** The chain on disk, published or not. */
  readonly stored: StoredChainReader;
  /** Origin of the chain; `null` if it is no fork. */
  readonly origin: KnownOrigin | null;
}

/**
 * Opens the chain of a folder.
 *
 * @throws {StorageError} when the chain cannot be read
 * @throws {NodeError} as {@link requireClock}
 */
export async function openStorage(
  options: NodeOptions,
  { folder: { setup }, l1 }: StorageNeeds,
  { log, timer, disposables }: NodeHost,
): Promise<OpenedStorage> {
  const opened = await openChain(setup);
  disposables.defer(() => opened.close());
  const preparing = prepareStatements(setup, [opened.statements], timer);
  disposables.defer(() => preparing.stop());
  const stored = opened.chain;
  bindOpened(setup, stored, log, false);
  const makesBlocks = setup.follow === null && !options.trustClock;
  // A development chain has a separate clock.
  if (makesBlocks && setup.devnet === null) requireClock(stored, SYSTEM_CLOCK);
  await forgetPublished(options, setup, stored);
  // The main thread never waits for the origin.
  const origin = setup.fork === null ? null : knownOrigin(setup.fork.forkBlock);
  const whole = origin === null ? stored : new ForkedChain(stored, origin.reader);
  const view = new ChainView(stored, whole, timer);
  const resumed = withPricesOfChain(setup, l1, view.chain, log);
  resumeTime(resumed, view.chain);
  return { setup: resumed, view, stored, origin };
}

/** The blocks of a sequencer that no longer shares its chain are its own to revert. */
async function forgetPublished(
  { replication, follow }: NodeOptions,
  setup: NodeSetup,
  chain: Pick<StoredChainReader, "value">,
): Promise<void> {
  const isAlone = replication === null && follow === null;
  if (isAlone && publishedBlocks(chain) !== undefined) await notePublished(setup, undefined);
}

/** Where L1 answered no prices, those of the newest block hold. */
function withPricesOfChain(
  setup: NodeSetup,
  l1: StartPrices,
  chain: ChainView["chain"],
  log: NodeHost["log"],
): NodeSetup {
  const newest = chain.header(chain.latestNumber() ?? -1);
  if (l1.finding === undefined || newest === undefined) return setup;
  logOldPrices(l1.finding, log);
  return { ...setup, l1Prices: l1.resume(l1PricesOfBlock(newest)) };
}
