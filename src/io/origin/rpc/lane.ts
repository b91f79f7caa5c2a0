import type { OriginError } from "#base/errors/index.ts";
import { type Endpoint, endpointOf } from "#io/http/index.ts";
import { BatchSize } from "./batch-size.ts";
import { Pace } from "./pace.ts";
import type { OriginSpec } from "./spec.ts";

/** Pauses after failures in a row: the first, doubled up to the maximum; milliseconds. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5000;

/** Maximum pause as a part of a value's deadline, so that each value that is requested meanwhile is tried. */
const PAUSE_PART = 0.5;

/**
 * Longest pause that a URL's own wait causes, in milliseconds: afterwards one request shows whether it still
 * applies. A wait of years, or one longer than a timer takes, must not end the use of the URL.
 */
const MAX_WAIT_MS = 600_000;

/** Failures in a row after which a URL may be another node when it responds again. */
const DOUBTFUL_AFTER = 3;

/** Weight of the newest response in the average time of responses. */
const NEWEST_WEIGHT = 0.2;

/** One URL of an origin: its limits, and how well it responds. */
export class OriginLane {
  readonly endpoint: Endpoint;
  readonly batch: BatchSize;
  readonly pace: Pace;
  /** Specification of the URL; `undefined` until it was checked, and again after failures in a row. */
  spec: OriginSpec | undefined;
  /** Reason why the URL cannot be used, until a later check succeeds. */
  fault: OriginError | undefined;
  /** Time before which it gets no request, in milliseconds of the timer. */
  readyAtMs = 0;
  inFlight = 0;
  /** Whether the URL does not find the fork block by its hash, but by its number. */
  refusesHashes = false;
  /** Whether the URL is being checked; it gets no other request meanwhile. */
  isGreeting = false;
  #failures = 0;
  #lastFailureMs = -Infinity;
  #lastRejectionMs = -Infinity;
  #averageMs = 0;
  readonly #maxPauseMs: number;

  /** @param valueMs - deadline of a value, in milliseconds */
  constructor(endpoint: Endpoint, maxBatch: number, maxConcurrency: number, valueMs: number) {
    this.endpoint = endpoint;
    this.#maxPauseMs = Math.min(MAX_PAUSE_MS, valueMs * PAUSE_PART);
    this.batch = new BatchSize(maxBatch);
    this.pace = new Pace(maxConcurrency);
  }

  /** Failures since the last response. */
  get failures(): number {
    return this.#failures;
  }

  /** Expected load; requests go to the URL with the lowest. */
  get load(): number {
    return (this.inFlight + 1) * (this.#averageMs + 1) * (1 + this.#failures);
  }

  canSend(nowMs: number): boolean {
    return !this.isGreeting && nowMs >= this.readyAtMs && this.inFlight < this.pace.limit;
  }

  /**
   * Records a missing response. Requests that were in flight together count once.
   *
   * @param sentAtMs - when the request was sent
   */
  failed(sentAtMs: number, nowMs: number): void {
    if (sentAtMs < this.#lastFailureMs) return;
    this.#lastFailureMs = nowMs;
    this.#failures++;
    const doubledMs = FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 16);
    const pauseMs = Math.min(this.#maxPauseMs, doubledMs);
    this.pauseUntil(nowMs + pauseMs);
    if (this.#failures >= DOUBTFUL_AFTER) this.spec = undefined;
  }

  /**
   * Records a response that limits the rate of requests. Requests that were in flight together count once.
   *
   * @param retryAfterMs - wait that the response names, if any
   */
  rejected(retryAfterMs: number | undefined, sentAtMs: number, nowMs: number): void {
    const waitMs = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, MAX_WAIT_MS);
    if (sentAtMs >= this.#lastRejectionMs) {
      this.#lastRejectionMs = nowMs;
      this.pauseUntil(nowMs + this.pace.rejected(waitMs));
    } else if (waitMs !== undefined) this.pauseUntil(nowMs + waitMs);
  }

  /** Records a response and the time that it took. */
  answered(tookMs: number): void {
    this.#failures = 0;
    this.#averageMs += (tookMs - this.#averageMs) * NEWEST_WEIGHT;
  }

  /** Sends nothing until `untilMs`. */
  pauseUntil(untilMs: number): void {
    this.readyAtMs = Math.max(this.readyAtMs, untilMs);
  }
}

/**
 * Creates the endpoints of an origin. Their names are scheme, host and port; URLs of the same host are
 * numbered.
 *
 * @param urls - with the scheme `http` or `https`
 * @param headers - sent with every request; their values are masked in texts
 * @throws TypeError for an invalid URL
 */
export function originEndpoints(
  urls: readonly string[],
  headers: Readonly<Record<string, string>>,
): readonly Endpoint[] {
  const counts = new Map<string, number>();
  return urls.map((url) => {
    const { protocol, host } = new URL(url);
    const shown = `${protocol}//${host}`;
    const count = (counts.get(shown) ?? 0) + 1;
    counts.set(shown, count);
    const endpoint = endpointOf(url, Object.values(headers));
    const name = count === 1 ? shown : `${shown} (${count})`;
    return { ...endpoint, headers: { ...endpoint.headers, ...headers }, name };
  });
}
