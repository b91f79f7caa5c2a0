import { DURATION_FORM, parseDurationMs, PRESETS } from "#protocol/config/index.ts";
import { listOption, valueOption } from "./build-option.ts";
import { readBigint, readText, U128_MAX } from "./read-option.ts";

const group = "Chain";

/** Highest `pending_block_update_time` of a preset. */
const LONGEST_PRESET_UPDATE_MS = 2_000;

/**
 * Options for the chain configuration: where it is, and what changes it. Also the options of
 * `config show`.
 */
export const configOptions = {
  chainConfigPath: valueOption(
    {
      flag: "chain-config-path",
      brief: "chain configuration",
      value: "FILE",
      group,
      summary: "YAML chain configuration; together with --preset its fields override the preset's",
    },
    "a file",
    readText,
    undefined,
  ),
  preset: valueOption(
    {
      flag: "preset",
      brief: `predefined chain: ${PRESETS.join(", ")}`,
      value: "NAME",
      group,
      words: PRESETS,
      summary: `predefined chain configuration: ${PRESETS.join(", ")}`,
    },
    "a preset",
    readText,
    undefined,
  ),
  chainConfigOverride: listOption({
    flag: "chain-config-override",
    value: "FIELD=VALUE",
    group,
    summary:
      "override chain configuration fields: repeatable, or a comma-separated list; reach inner fields with dots, write values as YAML",
  }),
  blockTime: valueOption(
    {
      flag: "block-time",
      value: "DURATION",
      group,
      usedBy: "sequencer",
      sets: fixedInterval,
      summary: "fixed block interval, with or without transactions",
    },
    DURATION_FORM,
    (text) => (parseDurationMs(text) === undefined ? undefined : text),
    null,
  ),
  l2GasPrice: valueOption(
    {
      flag: "l2-gas-price",
      value: "FRI",
      group,
      usedBy: "sequencer",
      sets: (price) => ({ l2_gas_price: `{type: fixed, price: ${price}}` }),
      summary: "fixed L2 gas price: the same as overriding l2_gas_price",
    },
    "price in the smallest unit, plain digits below 2^128",
    readBigint(U128_MAX),
    null,
  ),
};

/** Fields for a fixed block interval, including empty blocks, regardless of the preset. */
export function fixedInterval(
  interval: string,
  overrides: readonly string[],
): Readonly<Record<string, string>> {
  const durationMs = parseDurationMs(interval) ?? 0;
  const isGiven = overrides.some((text) => text.includes("pending_block_update_time"));
  return {
    block_time: interval,
    blocks_on_demand: "false",
    no_empty_blocks: "false",
    // The pending block must be refreshed at least as often as blocks close.
    ...(durationMs > 0 && durationMs < LONGEST_PRESET_UPDATE_MS && !isGiven
      ? { pending_block_update_time: interval }
      : {}),
  };
}
