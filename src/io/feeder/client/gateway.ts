import type { Endpoint } from "#io/http/index.ts";
import { InvariantError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { GatewayLimits } from "./options.ts";
import { RequestWindow } from "./request-window.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Whatever a gateway asks for, it is asked again after this time. */
const LONGEST_THROTTLE_MS = 60_000;

/**
 * How long to wait before something is tried again.
 *
 * @param failures - in a row, at least 1
 * @returns milliseconds: 250 at first, twice as many each time, 10 000 at most
 */
export function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 16));
}

/** One gateway, and what is known of how it works. */
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

  /** @param halves - by their own addresses */
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

  /** Whether it has failed a moment ago. */
  get isAway(): boolean {
    return this.#timer.nowMs() < this.#awayUntilMs;
  }

  /** Until when others are asked first; 0: they are not. */
  get distrustedUntilMs(): number {
    return this.#timer.nowMs() < this.#distrustedUntilMs ? this.#distrustedUntilMs : 0;
  }

  /** Until when others are asked first that have newer blocks; 0: they are not. */
  get laggingUntilMs(): number {
    return this.#timer.nowMs() < this.#laggingUntilMs ? this.#laggingUntilMs : 0;
  }

  /** How long it does not want to be asked. */
  get throttledMs(): number {
    return Math.max(0, this.#throttledUntilMs - this.#timer.nowMs());
  }

  /** Somebody is going to ask it. While it fails, others go elsewhere until that has ended. */
  chosen(): void {
    if (this.#failures > 0) this.#awayUntilMs = this.#timer.nowMs() + this.#limits.silenceMs;
  }

  /** It has answered, whatever it said. */
  answered(): void {
    this.#failures = 0;
    this.#awayUntilMs = 0;
    this.window.answered();
  }

  /**
   * A request has failed. Those that were under way together count once.
   *
   * @param isSilent - it did not answer in time
   */
  failed(beganMs: number, isSilent: boolean): void {
    const now = this.#timer.nowMs();
    if (isSilent) this.window.overloaded(beganMs, now);
    if (beganMs >= this.#failedAtMs) this.#failures++;
    this.#failedAtMs = now;
    this.#awayUntilMs = now + pauseAfter(this.#failures);
  }

  /**
   * It was asked too much.
   *
   * @param retryAfterMs - when it wants to be asked again; `undefined`: it does not say
   */
  throttled(beganMs: number, retryAfterMs: number | undefined): void {
    const now = this.#timer.nowMs();
    this.window.overloaded(beganMs, now);
    if (beganMs >= this.#failedAtMs) this.#failures++;
    this.#failedAtMs = now;
    const toldMs = retryAfterMs ?? pauseAfter(this.#failures);
    // Whoever says "at once" each time is not asked without a pause.
    const wantedMs = Math.min(LONGEST_THROTTLE_MS, Math.max(FIRST_PAUSE_MS, toldMs));
    this.#throttledUntilMs = Math.max(this.#throttledUntilMs, now + wantedMs);
  }

  /** It has told something wrong: others are asked first for a while. */
  distrust(): void {
    this.#distrustedUntilMs = this.#timer.nowMs() + this.#limits.distrustMs;
  }

  /** Whether another one has newer blocks, and it gets no further by itself. */
  lags(isLagging: boolean): void {
    this.#laggingUntilMs = isLagging ? this.#timer.nowMs() + this.#limits.laggingMs : 0;
  }
}

/** An address that paths are put behind. */
function below(endpoint: Endpoint): Endpoint {
  const bare = new URL(endpoint.url);
  bare.search = "";
  return { ...endpoint, url: bare.href.replace(/\/+$/, "") };
}

/** What a question can be asked of now. */
export type Choice =
  | { readonly kind: "gateway"; readonly gateway: Gateway }
  /** None wants to be asked before this time has passed. */
  | { readonly kind: "throttled"; readonly forMs: number }
  /** All that want to be asked have failed for this question. */
  | { readonly kind: "exhausted" };

/**
 * Orders gateways by which to ask first; those that are equal stay in their order. Of several that have
 * told something wrong, or are behind, the one comes first of which that was found longest ago.
 */
export function comparePreference(left: Gateway, right: Gateway): number {
  return (
    Number(left.isAway) - Number(right.isAway) ||
    left.distrustedUntilMs - right.distrustedUntilMs ||
    left.laggingUntilMs - right.laggingUntilMs
  );
}

/** The best of several gateways, given in order of preference. */
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
