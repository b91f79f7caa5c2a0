import type { L1Options } from "#app/node/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import { wrongOption } from "./option-errors.ts";
import type { SourcedOptions } from "./sourced-options.ts";

/**
 * Combines the options of L1; `null` when L1 is not followed.
 *
 * @throws {ConfigError} when an oracle's key is set without an oracle
 */
export function l1Of(
  { options, sources }: SourcedOptions<"l1">,
  { l1MessagesFinalityBlocks }: Pick<ChainConfig, "l1MessagesFinalityBlocks">,
): L1Options | null {
  const { finality, oracle, ...settings } = options.l1;
  const { url } = oracle;
  if (oracle.apiKeyFile !== null && url === null) {
    throw wrongOption(
      sources,
      "oracle-api-key-file",
      "has no effect without --oracle-url: set both",
    );
  }
  if (settings.endpoints.length === 0) return null;
  return {
    ...settings,
    finality: finality ?? l1MessagesFinalityBlocks,
    oracle: url === null ? null : { ...oracle, url },
  };
}
