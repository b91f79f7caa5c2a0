import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { GatewayAsked } from "#services/sync/index.ts";

/** How long a route that has answered before may fail before the log says so. */
export const MAX_SILENCE_MS = 3_000;

/** How often it is said again as long as that lasts. */
export const SAID_EVERY_MS = 600_000;

/** A failure counts for this long: a route may not be asked again after it. */
export const FAILURE_COUNTS_MS = 60_000;

/** What the silence of gateways is told with. */
export interface GatewaySilenceDeps {
  readonly log: Logger;
  readonly nowMs: () => number;
}

/** A route that fails. */
interface Failing {
  readonly sinceMs: number;
  lastMs: number;
}

/** What is known of one gateway. */
interface Known {
  /** Routes that have answered. */
  readonly answered: Set<string>;
  readonly failing: Map<string, Failing>;
  /** When the log named it last; `undefined` while nothing of it fails, or not long enough. */
  saidMs: number | undefined;
}

/**
 * Logs gateways that give no usable answers. Each route counts for itself: one that answers does not hide
 * another one that fails. A route that never answered is named at its first failure, others after a while.
 */
export class GatewaySilence {
  readonly #deps: GatewaySilenceDeps;
  readonly #gateways = new Map<string, Known>();

  constructor(deps: GatewaySilenceDeps) {
    this.#deps = deps;
  }

  /** Records a request. @returns writes a line of the log, if one is due */
  asked(asked: GatewayAsked): (() => void) | undefined {
    const { url, route, outcome } = asked;
    let known = this.#gateways.get(url);
    if (known === undefined) {
      known = { answered: new Set(), failing: new Map(), saidMs: undefined };
      this.#gateways.set(url, known);
    }
    if (outcome !== "answered") return this.#failed(known, asked);
    known.answered.add(route);
    known.failing.delete(route);
    return this.#recovered(known, url);
  }

  #failed(
    known: Known,
    { url, route, outcome, failure, retryAfterMs }: GatewayAsked,
  ): (() => void) | undefined {
    const { log, nowMs } = this.#deps;
    const now = nowMs();
    this.#forgetOld(known);
    const failing = known.failing.get(route) ?? { sinceMs: now, lastMs: now };
    failing.lastMs = now;
    known.failing.set(route, failing);
    const { saidMs } = known;
    // Whoever is told to come back later does not ask before: now is the time to say so.
    const isLong = outcome === "overdue" || (retryAfterMs ?? 0) >= MAX_SILENCE_MS;
    const waitMs = known.answered.has(route) && !isLong ? MAX_SILENCE_MS : 0;
    const isDue =
      saidMs === undefined ? now - failing.sinceMs >= waitMs : now - saidMs >= SAID_EVERY_MS;
    if (!isDue) return undefined;
    known.saidMs = now;
    return () =>
      log.warn(`${nameOf(url)} gives no answer to ${route} that can be used: it is asked again`, {
        url,
        reason: loggable(failure ?? outcome),
      });
  }

  #recovered(known: Known, url: string): (() => void) | undefined {
    if (known.saidMs === undefined) return undefined;
    this.#forgetOld(known);
    if (known.failing.size > 0) return undefined;
    known.saidMs = undefined;
    return () => this.#deps.log.info(`${nameOf(url)} answers`, { url });
  }

  #forgetOld({ failing }: Known): void {
    const before = this.#deps.nowMs() - FAILURE_COUNTS_MS;
    for (const [route, { lastMs }] of failing) if (lastMs < before) failing.delete(route);
  }
}

function nameOf(url: string): string {
  return url.startsWith("s3://") ? "the store" : "the gateway";
}
