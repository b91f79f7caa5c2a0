import type { ChainConfig } from "./chain-config.ts";
import { BUILT_IN_CONSTANTS, type ConstantsTable } from "#protocol/versions/index.ts";
import type { ChainConfigSource, LoadedChainConfig } from "./source.ts";

/**
 * Loads, overrides and validates a chain configuration.
 *
 * All unknown or invalid fields are reported together. The YAML parser is loaded on first use: threads
 * receive the parsed configuration and never need it.
 *
 * @throws {ConfigError} with an issue per finding: path, line (0 for overrides), expected form
 */
export async function loadChainConfig(source: ChainConfigSource): Promise<LoadedChainConfig> {
  const { loadChainConfigNow } = await import("./load-chain-config.ts");
  return loadChainConfigNow(source);
}

/**
 * Writes a configuration as YAML that loads to the same values, regardless of its source.
 *
 * Paths are absolute, defaults are written out.
 */
export async function chainConfigYaml(config: ChainConfig): Promise<string> {
  const { writeChainConfig } = await import("./write-chain-config.ts");
  return writeChainConfig(config);
}

/** Constants of a chain: the built-in ones and those of its configuration. */
export function constantsOf(config: Pick<ChainConfig, "customConstants">): ConstantsTable {
  return config.customConstants.size === 0
    ? BUILT_IN_CONSTANTS
    : BUILT_IN_CONSTANTS.with(config.customConstants);
}
