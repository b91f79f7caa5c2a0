import { ConfigError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString, shortStringFromFelt } from "#base/primitives/index.ts";
import { type ChainConfig, constantsOf, loadChainConfig, PRESETS } from "#protocol/config/index.ts";
import type { ReplaySettings } from "#services/replay/index.ts";
import { configSourceOf } from "../config-source.ts";
import { flagName } from "#app/options/index.ts";
import type { ParsedArguments } from "../parse-arguments.ts";
import type { replayOptions } from "./replay-options.ts";

type Parsed = ParsedArguments<typeof replayOptions>;

/**
 * Returns the rules that are not in headers, from the configuration that options name, or the preset of the
 * node's chain.
 *
 * @param chainId - chain id reported by the node
 * @throws {ConfigError} when the configuration is for another chain, or no preset is for this one
 */
export async function replaySettings(parsed: Parsed, chainId: Felt): Promise<ReplaySettings> {
  const config = await configOf(parsed, chainId);
  const own = feltFromShortString(config.chainId);
  if (own !== chainId) {
    throw new ConfigError(
      `the node's chain is ${nameOf(chainId)}, but the configuration is for ${config.chainId}`,
    );
  }
  const constants = constantsOf(config);
  return {
    chainId,
    feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
    constantsOf: (version) => constants.at(version),
    chargeFees: parsed.options.chargeFee,
    maxProofKeys: parsed.options.proofKeys,
    trustsCasm: parsed.options.trustCasm,
  };
}

async function configOf(parsed: Parsed, chainId: Felt): Promise<ChainConfig> {
  const changes = {
    overrides: parsed.options.chainConfigOverride,
    overridesFrom: flagName(parsed.sources, "chain-config-override"),
    role: "full",
  } as const;
  const source = configSourceOf(parsed);
  if (source.path !== undefined || source.preset !== undefined) {
    return (await loadChainConfig({ ...source, ...changes })).config;
  }
  for (const preset of PRESETS) {
    const { config } = await loadChainConfig({ preset, role: "full" });
    if (feltFromShortString(config.chainId) !== chainId) continue;
    return (await loadChainConfig({ preset, ...changes })).config;
  }
  throw new ConfigError(
    `the node's chain is ${nameOf(chainId)}, for which there is no preset: set --chain-config-path FILE or --preset NAME`,
  );
}

function nameOf(chainId: Felt): string {
  return shortStringFromFelt(chainId).replace(/[^\x20-\x7e]/g, "?");
}
