import type { Endpoint } from "#io/http/index.ts";
import { InvariantError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { GatewayLimits } from "./options.ts";
import { RequestWindow } from "./request-window.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Maximum retry delay that is honored. */
const LONGEST_THROTTLE_MS = 60_000;

/**
 * Returns the pause before a retry.
 *
 * @param failures - number of consecutive failures, at least 1
 * @returns milliseconds: 250 after the first failure, then doubled each time, at most 10 000
 */
export function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 16));
}

/** One gateway and its health. */
export class Gateway {
  readonly feeder: Endpoint;
  readonly gateway: Endpoint;
  readonly window: RequestWindow;
  readonly #timer: Timer;
  readonly #limits: GatewayLimits;
  #failures = 0;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #awayUntilMs = 0;
  #throttledUntilMs = 0;
  #distrustedUntilMs = 0;
  #laggingUntilMs = 0;

  /** @param halves - both endpoints, without a path of a route */
  constructor(
    halves: { readonly feeder: Endpoint; readonly gateway: Endpoint },
    limits: GatewayLimits,
    timer: Timer,
  ) {
    this.feeder = below(halves.feeder);
    this.gateway = below(halves.gateway);
    this.window = new RequestWindow(limits.maxInFlight);
    this.#limits = limits;
    this.#timer = timer;
  }

  /** Whether it is in the pause after a failure. */
  get isAway(): boolean {
    return this.#timer.nowMs() < this.#awayUntilMs;
  }

  /** Time until which other gateways are preferred after a wrong response; 0 if they are not. */
  get distrustedUntilMs(): number {
    return this.#timer.nowMs() < this.#distrustedUntilMs ? this.#distrustedUntilMs : 0;
  }

  /** Time until which gateways with newer blocks are preferred; 0 if they are not. */
  get laggingUntilMs(): number {
    return this.#timer.nowMs() < this.#laggingUntilMs ? this.#laggingUntilMs : 0;
  }

  /** Remaining time in milliseconds before it accepts requests again. */
  get throttledMs(): number {
    return Math.max(0, this.#throttledUntilMs - this.#timer.nowMs());
  }

  /** Marks it as about to be used. After a failure, other requests avoid it until this one ends. */
  chosen(): void {
    if (this.#failures > 0) this.#awayUntilMs = this.#timer.nowMs() + this.#limits.silenceMs;
  }

  /** Records a response, whatever its content. */
  answered(): void {
    this.#failures = 0;
    this.#awayUntilMs = 0;
    this.window.answered();
  }

  /**
   * Records a failed request. Concurrent failures count once.
   *
   * @param isSilent - whether the response timed out
   */
  failed(beganMs: number, isSilent: boolean): void {
    const now = this.#timer.nowMs();
    if (isSilent) this.window.overloaded(beganMs, now);
    if (beganMs >= this.#failedAtMs) this.#failures++;
    this.#failedAtMs = now;
    this.#awayUntilMs = now + pauseAfter(this.#failures);
  }

  /**
   * Records a response that asks for fewer requests.
   *
   * @param retryAfterMs - delay that the gateway requests; `undefined` if it states none
   */
  throttled(beganMs: number, retryAfterMs: number | undefined): void {
    const now = this.#timer.nowMs();
    this.window.overloaded(beganMs, now);
    if (beganMs >= this.#failedAtMs) this.#failures++;
    this.#failedAtMs = now;
    const toldMs = retryAfterMs ?? pauseAfter(this.#failures);
    // A gateway that always requests a delay of 0 still gets a pause.
    const wantedMs = Math.min(LONGEST_THROTTLE_MS, Math.max(FIRST_PAUSE_MS, toldMs));
    this.#throttledUntilMs = Math.max(this.#throttledUntilMs, now + wantedMs);
  }

  /** Records a wrong response: other gateways are preferred for a while. */
  distrust(): void {
    this.#distrustedUntilMs = this.#timer.nowMs() + this.#limits.distrustMs;
  }

  /** Sets whether it lags: another gateway has newer blocks and this one's head does not advance. */
  lags(isLagging: boolean): void {
    this.#laggingUntilMs = isLagging ? this.#timer.nowMs() + this.#limits.laggingMs : 0;
  }
}

/** Turns an endpoint into a base URL for route paths. */
function below(endpoint: Endpoint): Endpoint {
  const bare = new URL(endpoint.url);
  bare.search = "";
  return { ...endpoint, url: bare.href.replace(/\/+$/, "") };
}

/** Gateway to use for the next attempt. */
export type Choice =
  | { readonly kind: "gateway"; readonly gateway: Gateway }
  /** All gateways are throttled for this time. */
  | { readonly kind: "throttled"; readonly forMs: number }
  /** All gateways that are not throttled have failed for this request. */
  | { readonly kind: "exhausted" };

/**
 * Orders gateways by preference; equal ones keep their order. Among several distrusted or lagging gateways,
 * the one marked longest ago comes first.
 */
export function comparePreference(left: Gateway, right: Gateway): number {
  return (
    Number(left.isAway) - Number(right.isAway) ||
    left.distrustedUntilMs - right.distrustedUntilMs ||
    left.laggingUntilMs - right.laggingUntilMs
  );
}

/**
 * Chooses the best gateway.
 *
 * @param gateways - in configured order of preference
 */
export function choose(gateways: readonly Gateway[], failed: ReadonlySet<Gateway>): Choice {
  const open = gateways.filter(({ throttledMs }) => throttledMs === 0);
  if (open.length === 0) {
    const forMs = Math.min(...gateways.map(({ throttledMs }) => throttledMs));
    if (!Number.isFinite(forMs)) throw new InvariantError("a client has a gateway");
    return { kind: "throttled", forMs };
  }
  const [best] = open.filter((gateway) => !failed.has(gateway)).sort(comparePreference);
  return best === undefined ? { kind: "exhausted" } : { kind: "gateway", gateway: best };
}
