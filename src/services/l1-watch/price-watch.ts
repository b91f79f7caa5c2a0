import { L1Error } from "#base/errors/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { PriceBook } from "./price-book.ts";
import { type ReportedPrice, reportedPrices, reportedRate } from "./price-checks.ts";
import type { PriceSource, PriceWatchDeps } from "./price-ports.ts";

/** Timeout of a price request; a later response is ignored. */
const ANSWER_MS = 60_000;

interface PriceReport {
  readonly reported: readonly ReportedPrice[];
  /** From another endpoint, if one was queried. */
  readonly others: readonly ReportedPrice[];
}

/**
 * Polls the L1 prices and the exchange rate; the last ones stay in use. L1 and the oracle are polled
 * separately, so that a failure of one does not delay the other.
 */
export class PriceWatch {
  readonly #deps: PriceWatchDeps;
  readonly #book: PriceBook;
  readonly #asking = new Map<PriceSource, { readonly sinceMs: number }>();
  readonly #silent = new Set<PriceSource>();
  #reported: L1Prices | undefined;
  #hasFetched = false;
  #cancel: (() => void) | undefined;

  constructor(deps: PriceWatchDeps) {
    this.#deps = deps;
    this.#book = new PriceBook(deps);
  }

  /** Age of the oldest price that is not fixed; `undefined` when all are fixed. */
  get ageMs(): number | undefined {
    return this.#book.ageMs;
  }

  /**
   * Fetches all prices once.
   *
   * @throws {L1Error} L1_NO_PRICES when one is missing, with the options that fix it
   */
  async first(): Promise<L1Prices> {
    this.#hasFetched = true;
    const answers = await Promise.all([this.#firstOfL1(), this.#firstRate()]);
    const { prices } = this.#book;
    if (prices !== undefined) {
      // Notify callers that continued without waiting for this result.
      if (this.#reported !== undefined) this.#notify();
      this.#reported = prices;
      return prices;
    }
    const findings = answers.filter((answer) => answer !== undefined);
    throw new L1Error(
      "L1_NO_PRICES",
      findings.map(({ message }) => message).join("; "),
      findings.every(({ retryable }) => retryable),
      { cause: findings[0] },
    );
  }

  /** Uses the prices of the newest block where none has been reported. */
  resume(prices: L1Prices): void {
    this.#book.resume(prices);
    this.#reported = this.#book.prices;
  }

  /** Starts to poll, until {@link stop}; after {@link first} the first poll is one interval later. */
  start(): void {
    if (this.#book.followed.length === 0 || this.#cancel !== undefined) return;
    const { timer, pollMs } = this.#deps;
    this.#book.polled();
    this.#cancel = timer.after(this.#hasFetched ? pollMs : 0, () => this.#tick());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#asking.clear();
  }

  get #followsL1(): boolean {
    return this.#book.followed.some((name) => name !== "friPerWei");
  }

  get #followsRate(): boolean {
    return this.#book.followed.includes("friPerWei");
  }

  #tick(): void {
    const { timer, pollMs } = this.#deps;
    this.#cancel = timer.after(pollMs, () => this.#tick());
    this.#book.watchAges();
    if (this.#followsL1) void this.#ask("l1", () => this.#askL1());
    if (this.#followsRate) void this.#ask("oracle", () => this.#askOracle());
  }

  /** Sends one request to a source, unless the previous one is pending. Never rejects. */
  async #ask(teller: PriceSource, question: () => Promise<PriceReport>): Promise<void> {
    const sinceMs = this.#deps.timer.nowMs();
    const open = this.#asking.get(teller);
    if (open !== undefined && sinceMs - open.sinceMs < ANSWER_MS) return;
    if (open !== undefined) this.#unanswered(teller, noAnswer());
    const asking = { sinceMs };
    this.#asking.set(teller, asking);
    const answer = await question().catch((error: unknown) => ({ error }));
    if (this.#asking.get(teller) !== asking) return;
    this.#asking.delete(teller);
    const error =
      "error" in answer ? answer.error : this.#book.take(answer.reported, answer.others);
    if (error !== undefined) this.#unanswered(teller, error);
    else if (this.#silent.delete(teller)) this.#deps.onEvent({ kind: "answered", teller });
    this.#notify();
  }

  #unanswered(teller: PriceSource, error: unknown): void {
    this.#silent.add(teller);
    this.#deps.onEvent({ kind: "unanswered", teller, error });
  }

  #notify(): void {
    const { prices } = this.#book;
    if (prices === undefined || isSame(prices, this.#reported)) return;
    this.#reported = prices;
    this.#deps.onPrices(prices);
  }

  async #askL1(): Promise<PriceReport> {
    const { source } = this.#deps;
    const quote = await source.feeQuote();
    const reported = reportedPrices(quote, this.#deps);
    if (!this.#book.isFarOff(reported)) return { reported, others: [] };
    try {
      const other = await source.otherFeeQuote(quote.endpoint);
      return { reported, others: other === undefined ? [] : reportedPrices(other, this.#deps) };
    } catch {
      // Without another endpoint, later polls must confirm the price.
      return { reported, others: [] };
    }
  }

  async #askOracle(): Promise<PriceReport> {
    const { oracle } = this.#deps;
    if (oracle === null) throw noOracle();
    return { reported: [reportedRate(await oracle.friPerWei())], others: [] };
  }

  /** @returns why L1 returned no prices, with the options that fix them */
  async #firstOfL1(): Promise<L1Error | undefined> {
    if (!this.#followsL1) return undefined;
    const flags = this.#book.followed.includes("l1DataGas")
      ? "--l1-gas-price and --blob-gas-price"
      : "--l1-gas-price";
    return this.#first(() => this.#askL1(), `L1 returns no gas prices, fix them with ${flags}`);
  }

  async #firstRate(): Promise<L1Error | undefined> {
    if (!this.#followsRate) return undefined;
    if (this.#deps.oracle === null) return noOracle();
    const text = "the oracle returns no exchange rate, fix one with --strk-per-eth";
    return this.#first(() => this.#askOracle(), text);
  }

  async #first(question: () => Promise<PriceReport>, text: string): Promise<L1Error | undefined> {
    try {
      const { reported, others } = await question();
      const cause = this.#book.take(reported, others);
      return cause === undefined ? undefined : firstError(text, cause);
    } catch (cause) {
      return firstError(text, cause);
    }
  }
}

function firstError(text: string, cause: unknown): L1Error {
  const isRetryable = !(cause instanceof L1Error) || cause.retryable;
  return new L1Error("L1_NO_PRICES", `${text}: ${describeError(cause)}`, isRetryable, { cause });
}

function noOracle(): L1Error {
  const message = "no exchange rate is set: fix one with --strk-per-eth, or set --oracle-url";
  return new L1Error("L1_NO_PRICES", message, false);
}

function noAnswer(): L1Error {
  return new L1Error("L1_STALLED", `no response for ${ANSWER_MS / 1000} seconds`, true);
}

function isSame(one: L1Prices, other: L1Prices | undefined): boolean {
  return (
    other !== undefined &&
    one.l1GasWei === other.l1GasWei &&
    one.l1DataGasWei === other.l1DataGasWei &&
    one.friPerWei.numerator === other.friPerWei.numerator &&
    one.friPerWei.denominator === other.friPerWei.denominator
  );
}
