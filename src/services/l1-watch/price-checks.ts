import { L1Error } from "#base/errors/index.ts";
import type { FeeQuote } from "#io/l1/index.ts";
import type { ExchangeRate, FixedPrices, PriceName, PriceWatchDeps } from "./price-ports.ts";

/** One ETH for a unit of gas: no L1 tells that, and the price in FRI still has 128 bits as it must. */
const MAX_GAS_WEI = 10n ** 18n;

/** So many FRI for a WEI, or WEI for a FRI, no market tells. */
const MAX_RATE = 10n ** 12n;

/** Prices of L1 that are asked for. */
export interface Followed {
  readonly l1Gas: boolean;
  readonly l1DataGas: boolean;
  readonly friPerWei: boolean;
}

/** Those that are not fixed. */
export function followedPrices(fixed: FixedPrices): Followed {
  return {
    l1Gas: fixed.l1GasWei === undefined,
    l1DataGas: fixed.l1DataGasWei === undefined,
    friPerWei: fixed.friPerWei === undefined,
  };
}

/** A price that was told, or why it is none. */
export type ToldPrice =
  | { readonly price: PriceName; readonly value: ExchangeRate }
  | { readonly price: PriceName; readonly error: L1Error };

/** The prices of a quote that are asked for. */
export function toldPrices(
  quote: FeeQuote,
  { fixed, needsDataGas }: Pick<PriceWatchDeps, "fixed" | "needsDataGas">,
): readonly ToldPrice[] {
  const followed = followedPrices(fixed);
  const told: ToldPrice[] = [];
  if (followed.l1Gas) told.push(gasPrice("l1Gas", quote.l1GasWei, quote.endpoint));
  if (!followed.l1DataGas) return told;
  if (quote.l1DataGasWei !== undefined) {
    told.push(gasPrice("l1DataGas", quote.l1DataGasWei, quote.endpoint));
  } else if (needsDataGas) {
    told.push({ price: "l1DataGas", error: noBlobFees(quote.endpoint) });
  } else {
    told.push({ price: "l1DataGas", value: inGasPrice(0n) });
  }
  return told;
}

/** The exchange rate that the oracle told. */
export function toldRate(rate: ExchangeRate): ToldPrice {
  const { numerator, denominator } = rate;
  const isPositive = numerator > 0n && denominator > 0n;
  const isUsable =
    isPositive && numerator <= denominator * MAX_RATE && denominator <= numerator * MAX_RATE;
  if (isUsable) return { price: "friPerWei", value: rate };
  const error = new L1Error(
    "L1_PRICE_ABSURD",
    `the oracle tells ${numerator}/${denominator} FRI per WEI, which is no exchange rate`,
    true,
  );
  return { price: "friPerWei", error };
}

/** A price in wei; zero counts as 1, as in a block. */
function inGasPrice(wei: bigint): ExchangeRate {
  return { numerator: wei === 0n ? 1n : wei, denominator: 1n };
}

function gasPrice(price: PriceName, wei: bigint, endpoint: string): ToldPrice {
  if (wei >= 0n && wei <= MAX_GAS_WEI) return { price, value: inGasPrice(wei) };
  const name = price === "l1Gas" ? "L1 gas" : "blob gas";
  const message = `${endpoint} tells ${wei} wei for ${name}, which is no price`;
  return { price, error: new L1Error("L1_PRICE_ABSURD", message, true) };
}

function noBlobFees(endpoint: string): L1Error {
  const message = `${endpoint} tells no price of blob gas: fix one with --blob-gas-price`;
  return new L1Error("L1_NO_BLOB_FEES", message, false);
}
