import { type BlockHeader, type BlockInfo, EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import {
  blockInfoAt,
  ClockPage,
  DevEnvironment,
  type L1Prices,
  L1PricesPage,
  parentInfoOf,
} from "#services/sequencer/index.ts";
import type { ChainReader, PendingBlock, PendingOverlay } from "#engine/state/index.ts";
import { type NodeSetup, producerSettings } from "./setup.ts";

/**
 * Header values of a block that would be opened now, for execution and responses while no block is open: the
 * newest block's successor, at the clock's time, with current prices.
 */
export function nextBlockInfo(setup: NodeSetup, chain: ChainReader, nowMs: number): BlockInfo {
  const latest = chain.latestNumber();
  const parent = latest === undefined ? undefined : chain.header(latest);
  if (setup.follow !== null && parent !== undefined) return infoAfter(parent, nowMs);
  const settings = producerSettings(setup);
  // Receipts are read only if the price depends on them.
  const receipts =
    parent === undefined || settings.l2GasPricing.kind === "fixed"
      ? []
      : chain.receipts(parent.number);
  const parentInfo = parent === undefined ? undefined : parentInfoOf(parent, receipts);
  const environment = environmentOf(setup);
  const clock = { nowMs: () => environment?.nowMs(nowMs) ?? nowMs };
  const info = blockInfoAt((latest ?? -1) + 1, parentInfo, settings, l1PricesOf(setup), clock);
  if (environment === undefined) return info;
  return { ...info, gasPrices: environment.priced(info.gasPrices) };
}

/** Chain time in Unix milliseconds: the wall clock, corrected after it has jumped. */
export function unixNowMs({ clockPage }: Pick<NodeSetup, "clockPage">): number {
  return Date.now() + new ClockPage(clockPage).correctionMs;
}

/** L1 gas prices for the next block. */
export function l1PricesOf({ l1Prices, l1PricesPage }: NodeSetup): L1Prices {
  return new L1PricesPage(l1PricesPage).current() ?? l1Prices;
}

/** Header values a full node expects of the next block: those of its parent, since it produces none. */
function infoAfter(parent: BlockHeader, nowMs: number): BlockInfo {
  const { number, sequencerAddress, gasPrices, l1DaMode, protocolVersion } = parent;
  return {
    number: number + 1,
    timestamp: Math.max(parent.timestamp, Math.floor(nowMs / 1000)),
    sequencerAddress,
    gasPrices,
    l1DaMode,
    protocolVersion,
  };
}

/** Time and prices as configured for a development chain; `undefined` on other chains. */
function environmentOf({ devnet }: NodeSetup): DevEnvironment | undefined {
  return devnet === null ? undefined : new DevEnvironment(devnet.page);
}

/** The pending block for readers: the open block, else the newest sealed one, else an empty one. */
export function pendingBlock(
  setup: NodeSetup,
  chain: ChainReader,
  overlay: PendingOverlay,
): PendingBlock {
  const newest = overlay.newest();
  if (newest !== undefined) return newest;
  return {
    info: nextBlockInfo(setup, chain, unixNowMs(setup)),
    transactions: [],
    receipts: [],
    stateDiff: EMPTY_STATE_DIFF,
    state: overlay.state(),
    find: () => undefined,
  };
}
