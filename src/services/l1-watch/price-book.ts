import type { L1Error } from "#base/errors/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { followedPrices, type ReportedPrice } from "./price-checks.ts";
import type { ExchangeRate, PriceName, PriceWatchDeps } from "./price-ports.ts";
import { CONFIRMING_POLLS, isAlike, PriceSeries } from "./price-series.ts";

/** Number of polls after which a price is stale. */
const STALE_POLLS = 10;

const PRICE_NAMES = ["l1Gas", "l1DataGas", "friPerWei"] as const satisfies readonly PriceName[];

interface CurrentPrice {
  readonly value: ExchangeRate;
  readonly readAtMs: number;
}

/**
 * Current L1 prices: each is either fixed by the configuration, or the latest accepted one of those that L1
 * reports.
 */
export class PriceBook {
  readonly #deps: Pick<PriceWatchDeps, "fixed" | "pollMs" | "timer" | "onEvent">;
  readonly #series: Readonly<Record<PriceName, PriceSeries>>;
  readonly #current = new Map<PriceName, CurrentPrice>();
  readonly #stale = new Set<PriceName>();
  readonly #beganAtMs: number;
  /** When polling started; before that no price becomes stale. */
  #polledSinceMs: number;
  /** Prices that are not fixed. */
  readonly followed: readonly PriceName[];

  constructor(deps: Pick<PriceWatchDeps, "fixed" | "pollMs" | "timer" | "onEvent">) {
    this.#deps = deps;
    const { timer, fixed } = deps;
    this.#series = {
      l1Gas: new PriceSeries(timer),
      l1DataGas: new PriceSeries(timer),
      friPerWei: new PriceSeries(timer),
    };
    const followed = followedPrices(fixed);
    this.followed = PRICE_NAMES.filter((name) => followed[name]);
    this.#beganAtMs = timer.nowMs();
    this.#polledSinceMs = this.#beganAtMs;
  }

  /** All prices; `undefined` until every one is known. */
  get prices(): L1Prices | undefined {
    const { fixed } = this.#deps;
    const gas = (name: PriceName): bigint | undefined => this.#current.get(name)?.value.numerator;
    const l1GasWei = fixed.l1GasWei ?? gas("l1Gas");
    const l1DataGasWei = fixed.l1DataGasWei ?? gas("l1DataGas");
    const friPerWei = fixed.friPerWei ?? this.#current.get("friPerWei")?.value;
    if (l1GasWei === undefined || l1DataGasWei === undefined) return undefined;
    return friPerWei === undefined ? undefined : { l1GasWei, l1DataGasWei, friPerWei };
  }

  /** Age of the oldest price that is not fixed; `undefined` when all are fixed. */
  get ageMs(): number | undefined {
    const ages = this.followed.map((name) => this.#ageOf(name));
    return ages.length === 0 ? undefined : Math.max(...ages);
  }

  /** Uses these prices where none has been reported yet. */
  resume(prices: L1Prices): void {
    const readAtMs = this.#deps.timer.nowMs();
    const gas = (wei: bigint): ExchangeRate => ({ numerator: wei, denominator: 1n });
    const values = {
      l1Gas: gas(prices.l1GasWei),
      l1DataGas: gas(prices.l1DataGasWei),
      friPerWei: prices.friPerWei,
    };
    for (const name of this.followed) {
      if (!this.#current.has(name)) this.#current.set(name, { value: values[name], readAtMs });
    }
  }

  /** Whether one of these prices would be held back. */
  isFarOff(reported: readonly ReportedPrice[]): boolean {
    return reported.some((one) => "value" in one && this.#series[one.price].isFarOff(one.value));
  }

  /**
   * Accepts the prices of one poll, or holds them back. Accepts none when one of them is invalid, so that a
   * sample never mixes two endpoints.
   *
   * @param others - another endpoint's prices for confirmation
   * @returns why one of them is invalid
   */
  take(reported: readonly ReportedPrice[], others: readonly ReportedPrice[]): L1Error | undefined {
    const values: { readonly price: PriceName; readonly value: ExchangeRate }[] = [];
    for (const one of reported) {
      if ("error" in one) return one.error;
      values.push(one);
    }
    for (const { price, value } of values) {
      const isConfirmed = others.some(
        (other) => other.price === price && "value" in other && isAlike(value, other.value),
      );
      this.#judge(price, value, isConfirmed);
    }
    return undefined;
  }

  /**
   * Marks the start of polling: a price is not stale because nothing was polled before, as during startup.
   */
  polled(): void {
    this.#polledSinceMs = this.#deps.timer.nowMs();
  }

  /** Reports prices that have become stale. */
  watchAges(): void {
    const { pollMs, onEvent, timer } = this.#deps;
    const polledMs = timer.nowMs() - this.#polledSinceMs;
    for (const price of this.followed) {
      const ageMs = this.#ageOf(price);
      const isOld = Math.min(ageMs, polledMs) > STALE_POLLS * pollMs;
      if (!isOld || this.#stale.has(price)) continue;
      this.#stale.add(price);
      onEvent({ kind: "stale", price, ageMs });
    }
  }

  #ageOf(price: PriceName): number {
    return this.#deps.timer.nowMs() - (this.#current.get(price)?.readAtMs ?? this.#beganAtMs);
  }

  #judge(price: PriceName, value: ExchangeRate, isConfirmedByOthers: boolean): void {
    const { timer, onEvent } = this.#deps;
    const series = this.#series[price];
    const { usual } = series;
    const judgement = series.judge(value, isConfirmedByOthers);
    const text = textOf(value);
    if (judgement === "held_back") {
      const from = usual === undefined ? text : textOf(usual);
      const polls = series.heldPolls;
      const pollsNeeded = CONFIRMING_POLLS;
      onEvent({ kind: judgement, price, reported: text, usual: from, polls, pollsNeeded });
      return;
    }
    if (judgement === "confirmed") {
      const by = isConfirmedByOthers ? "another endpoint" : "polls";
      onEvent({ kind: "confirmed", price, reported: text, by });
    }
    this.#current.set(price, { value, readAtMs: timer.nowMs() });
    this.#stale.delete(price);
    onEvent({ kind: "taken", price });
  }
}

function textOf({ numerator, denominator }: ExchangeRate): string {
  return denominator === 1n ? String(numerator) : String(Number(numerator) / Number(denominator));
}
