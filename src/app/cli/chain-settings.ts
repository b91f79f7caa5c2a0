import { type ConfigOverride, parseDurationMs } from "#protocol/config/index.ts";

/** Highest `pending_block_update_time` of a preset. */
const LONGEST_PRESET_UPDATE_MS = 2_000;

/** Chain configuration values set by dedicated options; `from` is the option's name as it was used. */
export interface ChainSettings {
  readonly blockTime: { readonly text: string; readonly from: string } | null;
  readonly l2GasPrice: { readonly price: bigint; readonly from: string } | null;
  readonly overrides: readonly string[];
}

/** Returns the chain configuration fields set by options other than the override. */
export function chainSettings(settings: ChainSettings): readonly ConfigOverride[] {
  const { blockTime, l2GasPrice, overrides } = settings;
  const result: ConfigOverride[] = [];
  if (blockTime !== null) result.push(...fixedInterval(blockTime.text, blockTime.from, overrides));
  if (l2GasPrice !== null) {
    const text = `{type: fixed, price: ${l2GasPrice.price}}`;
    result.push({ path: ["l2_gas_price"], text, from: l2GasPrice.from });
  }
  return result;
}

/** Sets a fixed block interval, including empty blocks, regardless of the preset. */
function fixedInterval(
  blockTime: string,
  from: string,
  overrides: readonly string[],
): ConfigOverride[] {
  const set = (field: string, text: string): ConfigOverride => ({ path: [field], text, from });
  const durationMs = parseDurationMs(blockTime) ?? 0;
  const isGiven = overrides.some((text) => text.includes("pending_block_update_time"));
  return [
    set("block_time", blockTime),
    set("blocks_on_demand", "false"),
    set("no_empty_blocks", "false"),
    // The pending block must be refreshed at least as often as blocks close.
    ...(durationMs > 0 && durationMs < LONGEST_PRESET_UPDATE_MS && !isGiven
      ? [set("pending_block_update_time", blockTime)]
      : []),
  ];
}
