import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { GatewayRequestEnded } from "#services/sync/index.ts";

/** Time that a route which has responded before may fail until it is logged, in milliseconds. */
export const MAX_SILENCE_MS = 3_000;

/** Interval between log lines about the same gateway while it keeps failing, in milliseconds. */
export const LOG_EVERY_MS = 600_000;

/**
 * Time after its last failure, in milliseconds, for which a route counts as failing. Later it no longer does,
 * because the node may not request it again.
 */
export const FAILURE_COUNTS_MS = 60_000;

/** Dependencies of {@link GatewaySilence}. */
export interface GatewaySilenceDeps {
  readonly log: Logger;
  readonly nowMs: () => number;
}

/** A route that fails. */
interface Failing {
  readonly sinceMs: number;
  lastMs: number;
}

/** State of one gateway. */
interface Known {
  /** Routes that have answered. */
  readonly answered: Set<string>;
  readonly failing: Map<string, Failing>;
  /** Time of the last log line; `undefined` while nothing fails, or not for long enough. */
  loggedMs: number | undefined;
}

/**
 * Logs gateways that give no usable responses. Routes are tracked separately, so that one that responds does
 * not hide another one that fails. A route that never responded is logged at its first failure, others after
 * a while.
 */
export class GatewaySilence {
  readonly #deps: GatewaySilenceDeps;
  readonly #gateways = new Map<string, Known>();

  constructor(deps: GatewaySilenceDeps) {
    this.#deps = deps;
  }

  /** Records a request. @returns a function that writes the log line, if one is due */
  requested(requested: GatewayRequestEnded): (() => void) | undefined {
    const { url, route, outcome } = requested;
    let known = this.#gateways.get(url);
    if (known === undefined) {
      known = { answered: new Set(), failing: new Map(), loggedMs: undefined };
      this.#gateways.set(url, known);
    }
    if (outcome !== "answered") return this.#failed(known, requested);
    known.answered.add(route);
    known.failing.delete(route);
    return this.#recovered(known, url);
  }

  #failed(
    known: Known,
    { url, route, outcome, failure, retryAfterMs }: GatewayRequestEnded,
  ): (() => void) | undefined {
    const { log, nowMs } = this.#deps;
    const now = nowMs();
    this.#forgetOld(known);
    const failing = known.failing.get(route) ?? { sinceMs: now, lastMs: now };
    failing.lastMs = now;
    known.failing.set(route, failing);
    const { loggedMs } = known;
    // A long Retry-After postpones the next request, so this is the time to log.
    const isLong = outcome === "overdue" || (retryAfterMs ?? 0) >= MAX_SILENCE_MS;
    const waitMs = known.answered.has(route) && !isLong ? MAX_SILENCE_MS : 0;
    const isDue =
      loggedMs === undefined ? now - failing.sinceMs >= waitMs : now - loggedMs >= LOG_EVERY_MS;
    if (!isDue) return undefined;
    known.loggedMs = now;
    return () =>
      log.warn(`${nameOf(url)} gives no usable response to ${route}: retrying`, {
        url,
        reason: loggable(failure ?? outcome),
      });
  }

  #recovered(known: Known, url: string): (() => void) | undefined {
    if (known.loggedMs === undefined) return undefined;
    this.#forgetOld(known);
    if (known.failing.size > 0) return undefined;
    known.loggedMs = undefined;
    return () => this.#deps.log.info(`${nameOf(url)} responds`, { url });
  }

  #forgetOld({ failing }: Known): void {
    const before = this.#deps.nowMs() - FAILURE_COUNTS_MS;
    for (const [route, { lastMs }] of failing) if (lastMs < before) failing.delete(route);
  }
}

function nameOf(url: string): string {
  return url.startsWith("s3://") ? "the store" : "the gateway";
}
