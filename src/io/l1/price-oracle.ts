import { L1Error } from "#base/errors/index.ts";
import { shownAddress, type Timer } from "#base/primitives/index.ts";
import { endpointOf, exchange, type HttpAnswer, linkedSignal } from "#io/http/index.ts";

/** Source of the exchange rate between wei (ETH) and fri (STRK). */
export interface PriceOracle {
  /**
   * Returns fri per wei, as a fraction of two positive integers.
   *
   * @throws {L1Error} when the oracle does not provide a price
   */
  friPerWei(): Promise<{ readonly numerator: bigint; readonly denominator: bigint }>;
}

/** Settings of {@link createPriceOracle}. */
export interface PriceOracleOptions {
  /** Base URL of requests, for example `https://api.dev.pragma.build/node/v1/data/`. */
  readonly url: string;
  /** Value of the `X-API-Key` header; `undefined` to omit the header. */
  readonly apiKey: string | undefined;
  readonly timer: Timer;
  /** Aborts the request in flight. */
  readonly signal: AbortSignal;
}

const QUESTION = "strk/eth?interval=2h&aggregation=twap";
const ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 64 << 10;

const PRICE = /^(?:0x[0-9a-f]{1,32}|\d{1,38})$/i;
/** Higher than the decimals of any real price. */
const MAX_DECIMALS = 36;

/**
 * Client of Pragma's oracle. It returns the time-weighted average price of STRK in ETH over two hours, as
 * `{"price": "0x...", "decimals": 18}`.
 */
export function createPriceOracle({ url, apiKey, timer, signal }: PriceOracleOptions): PriceOracle {
  const base = new URL(url);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const name = shownAddress(url);
  const endpoint = endpointOf(base.href, []);
  const headers = apiKey === undefined ? {} : { "x-api-key": apiKey };
  const ask = async (): Promise<HttpAnswer> => {
    const timeout = new AbortController();
    const cancel = timer.after(ANSWER_MS, () => timeout.abort());
    const ended = linkedSignal([timeout.signal, signal]);
    try {
      return await exchange({
        endpoint,
        path: QUESTION,
        headers,
        body: undefined,
        maxAnswerBytes: MAX_ANSWER_BYTES,
        signal: ended.signal,
        onProgress: () => undefined,
      });
    } catch {
      throw unanswered(name, timeout.signal.aborted ? "does not answer" : "cannot be reached");
    } finally {
      cancel();
      ended.unlink();
    }
  };
  return {
    async friPerWei() {
      const answer = await ask();
      if (answer.kind !== "answered") throw unanswered(name, "returns an invalid response");
      if (answer.status !== 200) throw unanswered(name, `responds with status ${answer.status}`);
      const rate = rateOf(answer.bytes);
      if (rate === undefined) throw unanswered(name, "returns no price");
      return rate;
    },
  };
}

function unanswered(name: string, what: string): L1Error {
  return new L1Error("L1_ORACLE", `the price oracle ${name} ${what}`, true);
}

/** Inverts the price: ETH per STRK becomes STRK per ETH, which equals fri per wei. */
function rateOf(bytes: Uint8Array): { numerator: bigint; denominator: bigint } | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  const { price, decimals } = answer as { readonly price?: unknown; readonly decimals?: unknown };
  if (typeof price !== "string" || !PRICE.test(price)) return undefined;
  if (typeof decimals !== "number" || !Number.isInteger(decimals)) return undefined;
  const denominator = BigInt(price);
  if (denominator === 0n || decimals < 0 || decimals > MAX_DECIMALS) return undefined;
  return { numerator: 10n ** BigInt(decimals), denominator };
}
