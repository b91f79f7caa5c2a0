import { L1Error } from "#base/errors/index.ts";
import type { FeeQuote } from "#io/l1/index.ts";
import {
  type ExchangeRate,
  type PriceEvent,
  PriceWatch,
  type PriceWatchDeps,
} from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { FakeTimer } from "./fake-timer.ts";

/** Polling interval in tests of prices, in milliseconds. */
export const POLL_MS = 10_000;

const down = (): L1Error => new L1Error("L1_UNREACHABLE", "nobody answers", true);

/** Price sources, L1 and oracle, whose responses the test sets; `undefined` makes one fail. */
export class FakePrices {
  first: Omit<FeeQuote, "endpoint"> | undefined = { l1GasWei: 1000n, l1DataGasWei: 10n };
  other: Omit<FeeQuote, "endpoint"> | undefined;
  rate: ExchangeRate | undefined = rateOf(5n);
  asked = { first: 0, other: 0, rate: 0 };
  readonly timer = new FakeTimer();
  readonly events: PriceEvent[] = [];
  readonly reportedPrices: L1Prices[] = [];

  /** Creates a watch of the prices. */
  watch(changed: Partial<PriceWatchDeps> = {}): PriceWatch {
    return new PriceWatch({
      source: {
        feeQuote: () => {
          this.asked.first++;
          return this.#answer("http://one", this.first);
        },
        otherFeeQuote: async (endpoint) => {
          this.asked.other++;
          if (endpoint !== "http://one") throw down();
          return this.other === undefined ? undefined : this.#answer("http://two", this.other);
        },
      },
      oracle: {
        friPerWei: async () => {
          this.asked.rate++;
          await Promise.resolve();
          if (this.rate === undefined) throw new L1Error("L1_ORACLE", "no market", true);
          return this.rate;
        },
      },
      fixed: {},
      needsDataGas: true,
      pollMs: POLL_MS,
      timer: this.timer,
      onPrices: (prices) => this.reportedPrices.push(prices),
      onEvent: (event) => this.events.push(event),
      ...changed,
    });
  }

  /** Runs this many polls sequentially. */
  async polls(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      this.timer.advance(POLL_MS);
      await settled();
    }
  }

  /** Events of a kind. */
  eventsOf<K extends PriceEvent["kind"]>(kind: K): readonly Extract<PriceEvent, { kind: K }>[] {
    return this.events.filter((event): event is Extract<PriceEvent, { kind: K }> => {
      return event.kind === kind;
    });
  }

  async #answer(
    endpoint: string,
    quote: Omit<FeeQuote, "endpoint"> | undefined,
  ): Promise<FeeQuote> {
    await Promise.resolve();
    if (quote === undefined) throw down();
    return { endpoint, ...quote };
  }
}

/** A rate of FRI per WEI. */
export function rateOf(numerator: bigint, denominator = 1n): ExchangeRate {
  return { numerator, denominator };
}

/** Lets all continuations of promises run. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
