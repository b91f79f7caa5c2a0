import type { Timer } from "#base/primitives/index.ts";
import type { L1Source } from "#io/l1/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

/** FRI per WEI, as a fraction of two positive numbers. */
export type ExchangeRate = L1Prices["friPerWei"];

/** The components of L1 prices. */
export type PriceName = "l1Gas" | "l1DataGas" | "friPerWei";

/** Source of prices: the L1 endpoints, or the oracle of the exchange rate. */
export type PriceSource = "l1" | "oracle";

/** Prices fixed by the operator; they take precedence over L1 and the oracle. */
export interface FixedPrices {
  readonly l1GasWei?: bigint;
  readonly l1DataGasWei?: bigint;
  readonly friPerWei?: ExchangeRate;
}

/** Source of the exchange rate. */
export interface ExchangeRateOracle {
  /** @throws {L1Error} when it returns none */
  friPerWei(): Promise<ExchangeRate>;
}

/** Price events, for logs and metrics. */
export type PriceEvent =
  /** A price was accepted just now. */
  | { readonly kind: "taken"; readonly price: PriceName }
  /** A poll failed; reported each time. The last prices stay in use. */
  | { readonly kind: "unanswered"; readonly teller: PriceSource; readonly error: unknown }
  /** The source responds again. */
  | { readonly kind: "answered"; readonly teller: PriceSource }
  /** A price that is far off; it waits for another source, or for `pollsNeeded` polls, to confirm it. */
  | {
      readonly kind: "held_back";
      readonly price: PriceName;
      readonly reported: string;
      readonly usual: string;
      readonly polls: number;
      readonly pollsNeeded: number;
    }
  /** A price that was held back is confirmed and now in use. */
  | {
      readonly kind: "confirmed";
      readonly price: PriceName;
      readonly reported: string;
      readonly by: "polls" | "another endpoint";
    }
  /** A price is older than ten polls. Reported once, until the next price is accepted. */
  | { readonly kind: "stale"; readonly price: PriceName; readonly ageMs: number };

/** Dependencies of {@link PriceWatch}. */
export interface PriceWatchDeps {
  readonly source: Pick<L1Source, "feeQuote" | "otherFeeQuote">;
  /** `null` when the exchange rate is fixed. */
  readonly oracle: ExchangeRateOracle | null;
  readonly fixed: FixedPrices;
  /** Whether the chain's data goes into blobs, so that a blob gas price is required. */
  readonly needsDataGas: boolean;
  readonly pollMs: number;
  readonly timer: Timer;
  /** Called whenever a price has changed. */
  onPrices(prices: L1Prices): void;
  onEvent(event: PriceEvent): void;
}
