import type { Timer } from "#base/primitives/index.ts";
import type { L1Source } from "#io/l1/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

/** FRI per WEI, as a fraction of two positive numbers. */
export type ExchangeRate = L1Prices["friPerWei"];

/** What prices are made of. */
export type PriceName = "l1Gas" | "l1DataGas" | "friPerWei";

/** Who tells prices: the endpoints of L1, or the oracle of the exchange rate. */
export type PriceTeller = "l1" | "oracle";

/** Prices that whoever runs the node has fixed: they win over what L1 and the oracle tell. */
export interface FixedPrices {
  readonly l1GasWei?: bigint;
  readonly l1DataGasWei?: bigint;
  readonly friPerWei?: ExchangeRate;
}

/** Where the exchange rate comes from. */
export interface ExchangeRateOracle {
  /** @throws {L1Error} when it does not tell one */
  friPerWei(): Promise<ExchangeRate>;
}

/** What is told of prices, for the log and for metrics. */
export type PriceEvent =
  /** A price is as it was told just now. */
  | { readonly kind: "taken"; readonly price: PriceName }
  /** It did not tell any; each time. What it told last stays. */
  | { readonly kind: "unanswered"; readonly teller: PriceTeller; readonly error: unknown }
  /** It tells again. */
  | { readonly kind: "answered"; readonly teller: PriceTeller }
  /** What was told is far off; it waits for somebody else, or for `polls` of `pollsNeeded`, to tell the same. */
  | {
      readonly kind: "held_back";
      readonly price: PriceName;
      readonly told: string;
      readonly usual: string;
      readonly polls: number;
      readonly pollsNeeded: number;
    }
  /** It was told often enough, or by somebody else: it counts from now on. */
  | {
      readonly kind: "confirmed";
      readonly price: PriceName;
      readonly told: string;
      readonly by: "polls" | "another endpoint";
    }
  /** A price is older than ten polls. Told once, until one is taken again. */
  | { readonly kind: "stale"; readonly price: PriceName; readonly ageMs: number };

/** What prices are watched with. */
export interface PriceWatchDeps {
  readonly source: Pick<L1Source, "feeQuote" | "otherFeeQuote">;
  /** `null`: the exchange rate is fixed. */
  readonly oracle: ExchangeRateOracle | null;
  readonly fixed: FixedPrices;
  /** The chain's data goes into blobs: without a price for them there is none. */
  readonly needsDataGas: boolean;
  readonly pollMs: number;
  readonly timer: Timer;
  /** Told whenever one of them is another. */
  onPrices(prices: L1Prices): void;
  onEvent(event: PriceEvent): void;
}
