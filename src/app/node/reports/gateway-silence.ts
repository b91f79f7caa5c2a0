import type { Logger } from "#base/telemetry/index.ts";
import type { GatewayAsked } from "#services/sync/index.ts";
import { loggable } from "./log-rate-limiter.ts";

/** How long a gateway that has answered before may give none before the log says so. */
export const MAX_SILENCE_MS = 5_000;

/** How often it is said again as long as that lasts. */
export const SAID_EVERY_MS = 600_000;

/** What the silence of gateways is told with. */
export interface GatewaySilenceDeps {
  readonly log: Logger;
  readonly nowMs: () => number;
}

interface Silence {
  /** When it began to give no answers. */
  readonly sinceMs: number;
  saidMs: number | undefined;
}

/** Tells the log of gateways that give no answers: one that never gave any at once, others after a while. */
export class GatewaySilence {
  readonly #deps: GatewaySilenceDeps;
  readonly #answered = new Set<string>();
  readonly #silent = new Map<string, Silence>();

  constructor(deps: GatewaySilenceDeps) {
    this.#deps = deps;
  }

  /** A question has ended. @returns what says what is to be said of that; `undefined`: nothing is */
  asked({ url, outcome, failure }: GatewayAsked): (() => void) | undefined {
    const { log, nowMs } = this.#deps;
    const silence = this.#silent.get(url);
    if (outcome === "answered") {
      this.#answered.add(url);
      this.#silent.delete(url);
      if (silence?.saidMs === undefined) return undefined;
      return () => log.info(`${nameOf(url)} answers`, { url });
    }
    const now = nowMs();
    const since = silence ?? { sinceMs: now, saidMs: undefined };
    this.#silent.set(url, since);
    const { sinceMs, saidMs } = since;
    const waitMs = this.#answered.has(url) ? MAX_SILENCE_MS : 0;
    const isDue = saidMs === undefined ? now - sinceMs >= waitMs : now - saidMs >= SAID_EVERY_MS;
    if (!isDue) return undefined;
    since.saidMs = now;
    return () =>
      log.warn(`${nameOf(url)} gives no answer that can be used: it is asked again and again`, {
        url,
        reason: loggable(failure ?? outcome),
      });
  }
}

function nameOf(url: string): string {
  return url.startsWith("s3://") ? "the store" : "the gateway";
}
