import type { L1Options } from "#app/node/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import { wrongOption } from "./given.ts";
import type { GivenOptions } from "./given-options.ts";

/**
 * Combines the options of L1; `null` when L1 is not followed.
 *
 * @throws {ConfigError} when an oracle's key is set without an oracle
 */
export function l1Of(
  { options, given }: GivenOptions<"l1">,
  { l1MessagesFinalityBlocks }: Pick<ChainConfig, "l1MessagesFinalityBlocks">,
): L1Options | null {
  const { finality, oracle, ...settings } = options.l1;
  const { url } = oracle;
  if (oracle.apiKeyFile !== null && url === null) {
    throw wrongOption(given, "oracle-api-key-file", "has no effect without --oracle-url: set both");
  }
  if (settings.endpoints.length === 0) return null;
  return {
    ...settings,
    finality: finality ?? l1MessagesFinalityBlocks,
    oracle: url === null ? null : { ...oracle, url },
  };
}
