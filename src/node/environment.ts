import type { BlockInfo } from "#chain/index.ts";
import { gasPricesOf, l2GasHistoryOf, nextL2GasPrice } from "#sequencer/index.ts";
import type { ChainReader, PendingBlock, PendingOverlay } from "#state/index.ts";
import { EMPTY_STATE_DIFF } from "#chain/index.ts";
import { type NodeSetup, producerSettings } from "./setup.ts";

/**
 * The block that would be opened now, for execution and answers while no block is open: after the
 * newest one, at the clock's time, with the prices that would hold.
 */
export function nextBlockInfo(setup: NodeSetup, chain: ChainReader, nowMs: number): BlockInfo {
  const latest = chain.latestNumber();
  const parent = latest === undefined ? undefined : chain.header(latest);
  const settings = producerSettings(setup);
  const history =
    parent === undefined || settings.l2GasPricing.kind === "fixed"
      ? undefined
      : l2GasHistoryOf(parent, chain.receipts(parent.number));
  return {
    number: (latest ?? -1) + 1,
    timestamp: Math.max(Math.floor(nowMs / 1000), parent?.timestamp ?? 0),
    sequencerAddress: settings.sequencerAddress,
    gasPrices: gasPricesOf(setup.l1Prices, nextL2GasPrice(settings.l2GasPricing, history)),
    l1DaMode: settings.l1DaMode,
    protocolVersion: settings.protocolVersion,
  };
}

/** The block being built as readers see it: the open or newest sealed one, else an empty one. */
export function pendingBlock(
  setup: NodeSetup,
  chain: ChainReader,
  overlay: PendingOverlay,
): PendingBlock {
  const newest = overlay.newest();
  if (newest !== undefined) return newest;
  return {
    info: nextBlockInfo(setup, chain, Date.now()),
    transactions: [],
    receipts: [],
    stateDiff: EMPTY_STATE_DIFF,
    state: overlay.state(),
    find: () => undefined,
  };
}
