import { ConfigError } from "#base/errors/index.ts";
import { type ChainConfig, constantsOf, loadChainConfig, PRESETS } from "#protocol/config/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import type { ForkOptions, ForkPin } from "../fork.ts";

/** Configuration of a fork. */
export interface ForkedConfig {
  readonly config: ChainConfig;
  /** Protocol version of the fork block if this program lacks it; `undefined` if it does not. */
  readonly lackedVersion: string | undefined;
}

type FeeTokens = Pick<ChainConfig, "nativeFeeTokenAddress" | "parentFeeTokenAddress">;

/**
 * Returns the configuration of a chain that continues a block of an origin: chain id, protocol version, L2 gas
 * price and, if a preset is of that network, fee tokens are the origin's. Fields that the operator sets stay.
 *
 * @throws {ConfigError} when every protocol version that this program has is newer than the fork block's
 */
export async function forkedConfig(
  own: ChainConfig,
  { changedFields }: Pick<ForkOptions, "changedFields">,
  { chainId, header }: Pick<ForkPin, "chainId" | "header">,
): Promise<ForkedConfig> {
  const version = versionFor(own, header.protocolVersion);
  const isLacked = compareProtocolVersions(version, header.protocolVersion) !== 0;
  const hasOwn = (field: string): boolean => changedFields.has(field);
  const tokens = await feeTokensOf(chainId);
  const { nativeFeeTokenAddress, parentFeeTokenAddress } = { ...own, ...tokens };
  return {
    config: {
      ...own,
      ...(hasOwn("chain_id") ? {} : { chainId }),
      ...(hasOwn("native_fee_token_address") ? {} : { nativeFeeTokenAddress }),
      ...(hasOwn("parent_fee_token_address") ? {} : { parentFeeTokenAddress }),
      ...(hasOwn("latest_protocol_version") ? {} : { latestProtocolVersion: version }),
      ...(hasOwn("l2_gas_price")
        ? {}
        : { l2GasPrice: { type: "fixed", price: header.gasPrices.l2Gas.fri } }),
    },
    lackedVersion:
      isLacked && !hasOwn("latest_protocol_version") ? header.protocolVersion : undefined,
  };
}

/** Returns the newest version with constants that is not above `version`. */
function versionFor(config: ChainConfig, version: string): string {
  const { versions } = constantsOf(config);
  const found = versions.findLast((known) => compareProtocolVersions(known, version) <= 0);
  if (found !== undefined) return found;
  throw new ConfigError(
    `the fork block has protocol version ${version}, but this program executes blocks from ${versions[0]} on: name a later one with --fork-block`,
  );
}

/** Returns the fee tokens of the preset with this chain id; `undefined` for other chain ids. */
async function feeTokensOf(chainId: string): Promise<FeeTokens | undefined> {
  for (const preset of PRESETS) {
    const { config } = await loadChainConfig({ preset, role: "full" });
    if (config.chainId !== chainId) continue;
    const { nativeFeeTokenAddress, parentFeeTokenAddress } = config;
    return { nativeFeeTokenAddress, parentFeeTokenAddress };
  }
  return undefined;
}
