import type { ConfigNotice } from "#protocol/config/index.ts";
import type { BlockHeader, GasPrices } from "#protocol/chain/index.ts";
import type { GasPriceChange } from "#services/sequencer/index.ts";
import type { ForkOptions, ForkPin } from "../fork.ts";
import { l1PricesOfBlock } from "../l1-prices.ts";
import type { GasPriceOptions, NodeOptions } from "../node-options.ts";
import { forkedConfig } from "./forked-config.ts";

/** Options of a node whose chain is a fork. */
export interface ForkedNodeOptions extends NodeOptions {
  readonly fork: ForkOptions;
}

/**
 * Returns the options of a fork once its block is known: with chain id, protocol version, fee tokens and
 * prices of the origin where no option sets them, and notices about them.
 *
 * @throws {ConfigError} when this program cannot execute blocks of the fork block's protocol version
 */
export async function forkedOptions(
  options: ForkedNodeOptions,
  pin: ForkPin,
): Promise<ForkedNodeOptions> {
  const { fork, devnet } = options;
  const { config: chain, lackedVersion } = await forkedConfig(options.chain, fork, pin);
  const prices = pricesOf(pin.header.gasPrices, options.gasPrices, fork);
  return {
    ...options,
    chain,
    gasPrices: pricesFrom(pin.header, options.gasPrices),
    devnet: devnet === null ? null : { ...devnet, gasPrices: over(prices, devnet.gasPrices) },
    notices: [
      ...options.notices,
      ...versionNotices(lackedVersion, chain.latestProtocolVersion),
      ...signatureNotices(chain.chainId, pin.chainId),
      ROOTS,
    ],
  };
}

/** Replaces the default prices by those of the fork block; the exchange rate is rounded. */
function pricesFrom(header: BlockHeader, given: GasPriceOptions): GasPriceOptions {
  const { l1GasWei, l1DataGasWei, friPerWei } = l1PricesOfBlock(header);
  const { numerator, denominator } = friPerWei;
  const isRate = numerator > 0n && denominator > 0n;
  return {
    l1GasPriceWei: given.l1GasPriceWei ?? l1GasWei,
    blobGasPriceWei: given.blobGasPriceWei ?? l1DataGasWei,
    strkPerEth: given.strkPerEth ?? (isRate ? Number(numerator) / Number(denominator) : null),
  };
}

/** Exact prices of the fork block, except those that options of the chain set. */
function pricesOf(
  { l1Gas, l1DataGas, l2Gas }: GasPrices,
  { l1GasPriceWei, blobGasPriceWei, strkPerEth }: GasPriceOptions,
  { changedFields }: Pick<ForkOptions, "changedFields">,
): GasPriceChange {
  // The exchange rate sets the other unit of each price.
  const hasRate = strkPerEth !== null;
  return {
    ...(hasRate || l1GasPriceWei !== null ? {} : { l1Gas: set(l1Gas) }),
    ...(hasRate || blobGasPriceWei !== null ? {} : { l1DataGas: set(l1DataGas) }),
    ...(hasRate || changedFields.has("l2_gas_price") ? {} : { l2Gas: set(l2Gas) }),
  };
}

/** Omits a price of 0, which blocks of older versions have for resources that they lack. */
function set({ wei, fri }: GasPrices["l1Gas"]): GasPriceChange["l1Gas"] & object {
  return { ...(wei === 0n ? {} : { wei }), ...(fri === 0n ? {} : { fri }) };
}

function over(prices: GasPriceChange, set: GasPriceChange): GasPriceChange {
  return {
    l1Gas: { ...prices.l1Gas, ...set.l1Gas },
    l1DataGas: { ...prices.l1DataGas, ...set.l1DataGas },
    l2Gas: { ...prices.l2Gas, ...set.l2Gas },
  };
}

function versionNotices(lacked: string | undefined, used: string): readonly ConfigNotice[] {
  if (lacked === undefined) return [];
  const message = `the fork block has protocol version ${lacked}, which this program lacks: local blocks have ${used}`;
  return [{ code: "FORK_OTHER_VERSION", message }];
}

function signatureNotices(own: string, origin: string): readonly ConfigNotice[] {
  if (own !== origin) return [];
  const message = `signatures are valid on the forked network too, because the chain id is the same (${origin}): whoever sees a transaction can send it there; --chain-id sets another one`;
  return [{ code: "FORK_SAME_CHAIN_ID", message }];
}

const ROOTS: ConfigNotice = {
  code: "FORK_LOCAL_ROOTS",
  message:
    "state roots of local blocks cover local changes alone: proofs, gateway, snapshots and replay are off",
};
