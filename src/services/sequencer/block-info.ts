import type { BlockInfo, Receipt } from "#protocol/chain/index.ts";
import { blockTimestamp, type Clock } from "./clock.ts";
import {
  gasPricesOf,
  l2GasHistoryOf,
  type L1Prices,
  type L2GasHistory,
  type L2GasPricing,
  nextL2GasPrice,
} from "./gas-price.ts";

/** Values that a block derives from its parent; `undefined` for block 0. */
export interface ParentInfo {
  readonly timestamp: number;
  readonly l2Gas: L2GasHistory;
}

/** Settings that determine a block's info. */
export type BlockInfoSettings = Pick<
  BlockInfo,
  "sequencerAddress" | "l1DaMode" | "protocolVersion"
> & { readonly l2GasPricing: L2GasPricing };

/** Returns the {@link ParentInfo} of a sealed block. Fixed prices ignore the receipts. */
export function parentInfoOf(
  info: Pick<BlockInfo, "timestamp" | "gasPrices">,
  receipts: readonly Pick<Receipt, "gas">[],
): ParentInfo {
  return { timestamp: info.timestamp, l2Gas: l2GasHistoryOf(info, receipts) };
}

/** Returns the info of block `number` when it is opened now. */
export function blockInfoAt(
  number: number,
  parent: ParentInfo | undefined,
  settings: BlockInfoSettings,
  l1Prices: L1Prices,
  clock: Clock,
): BlockInfo {
  const { sequencerAddress, l1DaMode, protocolVersion, l2GasPricing } = settings;
  return {
    number,
    timestamp: blockTimestamp(clock, parent?.timestamp),
    sequencerAddress,
    gasPrices: gasPricesOf(l1Prices, nextL2GasPrice(l2GasPricing, parent?.l2Gas)),
    l1DaMode,
    protocolVersion,
  };
}
