import type { ForkMetrics } from "#base/metrics/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { OriginReport } from "#io/origin/index.ts";

/** Interval of the summary in the log, in milliseconds. */
const SUMMARY_MS = 60_000;

/** Dependencies of {@link OriginLog}. */
export interface OriginLogDeps {
  readonly metrics: ForkMetrics;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Counts of the current minute. */
interface Minute {
  cached: number;
  fetched: number;
  requests: number;
  waits: number;
  waitedMs: number;
  rateLimited: number;
}

/** Turns reports of the fork thread into metrics, log lines and the reason of `/ready`. */
export class OriginLog {
  readonly #deps: OriginLogDeps;
  #minute: Minute = emptyMinute();
  #alarm: string | undefined;
  #storeFailure: string | null = null;
  #cancel: () => void;

  constructor(deps: OriginLogDeps) {
    this.#deps = deps;
    deps.metrics.originUp.set(1);
    this.#cancel = deps.timer.after(SUMMARY_MS, () => this.#summarize());
  }

  /** Why the origin does not respond; `undefined` while it does. */
  alarm(): string | undefined {
    return this.#alarm;
  }

  note({ state, storeFailure, counts }: OriginReport): void {
    const { metrics } = this.#deps;
    metrics.values.inc({ source: "cache" }, counts.cached);
    metrics.values.inc({ source: "origin" }, counts.fetched);
    metrics.requests.inc(counts.requests);
    metrics.calls.inc(counts.calls);
    metrics.waits.inc(counts.waits);
    metrics.waitSeconds.inc(counts.waitedMs / 1000);
    metrics.rateLimited.inc(counts.rateLimited);
    metrics.receivedBytes.inc(counts.receivedBytes);
    const minute = this.#minute;
    minute.cached += counts.cached;
    minute.fetched += counts.fetched;
    minute.requests += counts.requests;
    minute.waits += counts.waits;
    minute.waitedMs += counts.waitedMs;
    minute.rateLimited += counts.rateLimited;
    this.#setAlarm(
      state.kind === "down" ? `the fork's origin is down: ${state.reason}` : undefined,
    );
    this.#noteStore(storeFailure);
  }

  stop(): void {
    this.#cancel();
  }

  #setAlarm(alarm: string | undefined): void {
    const { metrics, log } = this.#deps;
    const wasDown = this.#alarm !== undefined;
    this.#alarm = alarm;
    metrics.originUp.set(alarm === undefined ? 1 : 0);
    if (alarm !== undefined && !wasDown) {
      log.warn(`${alarm}; reads that the cache does not have fail until it responds`);
    } else if (alarm === undefined && wasDown) log.info("the fork's origin responds again");
  }

  #noteStore(failure: string | null): void {
    const { log } = this.#deps;
    if (failure !== null && this.#storeFailure === null) {
      log.warn(`values of the fork's origin are not stored, only kept in memory: ${failure}`);
    } else if (failure === null && this.#storeFailure !== null) {
      log.info("values of the fork's origin are stored again");
    }
    this.#storeFailure = failure;
  }

  /** Logs a minute in which the origin was read. */
  #summarize(): void {
    const { log, timer } = this.#deps;
    this.#cancel = timer.after(SUMMARY_MS, () => this.#summarize());
    const { cached, fetched, requests, waits, waitedMs, rateLimited } = this.#minute;
    this.#minute = emptyMinute();
    if (cached + fetched + requests === 0) return;
    const waited = (waitedMs / 1000).toFixed(1);
    log.info(
      `fork, last minute: ${cached} values from the cache, ${fetched} from the origin, ${requests} requests, ${waits} waits of ${waited} s together, ${rateLimited} responses 429`,
    );
  }
}

function emptyMinute(): Minute {
  return { cached: 0, fetched: 0, requests: 0, waits: 0, waitedMs: 0, rateLimited: 0 };
}
