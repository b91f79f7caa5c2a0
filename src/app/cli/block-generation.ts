import { DEFAULT_RESTRICTED_METHODS } from "#api/rpc/index.ts";
import type { ConfigOverride } from "#protocol/config/index.ts";
import type { DevnetOptions } from "#app/node/index.ts";
import { chainSettings } from "./chain-settings.ts";
import { DEFAULT_METHODS } from "./dev-options.ts";
import { devnetPricesOf } from "./devnet-price-options.ts";
import { dumpOf } from "./dump-options.ts";
import { devnetOnly, flagName, notBoth } from "./given.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import type { sequencerOptions } from "./run-options.ts";

const FLAG = "block-generation-on";

type Given = ParsedArguments<typeof sequencerOptions>;

/**
 * Returns the chain configuration fields that the option sets.
 *
 * @throws {ConfigError} when combined with `--block-time`, which sets the same fields
 */
export function blockGenerationSettings({ options, given }: Given): readonly ConfigOverride[] {
  const generation = options.blockGenerationOn;
  if (generation === null || generation === "demand") return [];
  const from = flagName(given, FLAG);
  if (options.blockTime !== null) throw notBoth(given, FLAG, "block-time");
  const overrides = options.chainConfigOverride;
  if (generation === "transaction") {
    return ["blocks_on_demand", "no_empty_blocks"].map((field) => ({
      path: [field],
      text: "true",
      from,
    }));
  }
  const blockTime = { text: `${generation}s`, from };
  return chainSettings({ blockTime, l2GasPrice: null, overrides });
}

/**
 * Returns the development features; `null` when they are off.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when a development option is used on another chain
 */
export function devnetOf({ options, given }: Given, isDevnet: boolean): DevnetOptions | null {
  const generation = options.blockGenerationOn;
  const dump = dumpOf({ options, given }, isDevnet);
  const gasPrices = devnetPricesOf({ options, given }, isDevnet);
  const { asyncSubmission, restrictiveMode: methods, startTime } = options;
  if (isDevnet) {
    const blocks = generation === "demand" ? "demand" : "configured";
    const restrictedMethods = methods === DEFAULT_METHODS ? DEFAULT_RESTRICTED_METHODS : methods;
    return { blocks, asyncSubmission, restrictedMethods, startTime, dump, gasPrices };
  }
  const flag = [
    ...(generation === null ? [] : [FLAG]),
    ...(asyncSubmission ? ["async-submission"] : []),
    ...(methods === null ? [] : ["restrictive-mode"]),
    ...(startTime === null ? [] : ["start-time"]),
  ][0];
  if (flag === undefined) return null;
  throw devnetOnly(given, flag);
}
