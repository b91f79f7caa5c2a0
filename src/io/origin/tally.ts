import { describeError } from "#base/telemetry/index.ts";
import type { OriginObserver, OriginState } from "./observer.ts";

/** Counts of requests to an origin, and of values, since the last report. */
export interface OriginCounts {
  /** Values that needed no request. */
  readonly cached: number;
  /** Values that the origin returned. */
  readonly fetched: number;
  /** HTTP requests, each with one or more calls. */
  readonly requests: number;
  /** JSON-RPC calls in these requests. */
  readonly calls: number;
  /** Values that a thread or a client waited for. */
  readonly waits: number;
  readonly waitedMs: number;
  /** Responses that limit the rate of requests. */
  readonly rateLimited: number;
  readonly receivedBytes: number;
}

/** State of the origin and of its cache, and counts since the last report. */
export interface OriginReport {
  readonly state: OriginState;
  /** Why values are not stored; `null` while they are. */
  readonly storeFailure: string | null;
  readonly counts: OriginCounts;
}

const NO_COUNTS: OriginCounts = {
  cached: 0,
  fetched: 0,
  requests: 0,
  calls: 0,
  waits: 0,
  waitedMs: 0,
  rateLimited: 0,
  receivedBytes: 0,
};

/** Counts what an origin reports, for reports at intervals. */
export class OriginTally implements OriginObserver {
  #state: OriginState;
  #storeFailure: string | null = null;
  #counts: { -readonly [Name in keyof OriginCounts]: number } = { ...NO_COUNTS };
  #isChanged = false;

  /** @param state - state at the start */
  constructor(state: OriginState) {
    this.#state = state;
  }

  value(source: "cache" | "origin"): void {
    this.#add(source === "cache" ? "cached" : "fetched", 1);
  }

  waited(milliseconds: number): void {
    this.#add("waits", 1);
    this.#add("waitedMs", milliseconds);
  }

  requested(calls: number): void {
    this.#add("requests", 1);
    this.#add("calls", calls);
  }

  received(sizeBytes: number): void {
    this.#add("receivedBytes", sizeBytes);
  }

  limited(): void {
    this.#add("rateLimited", 1);
  }

  stateChanged(state: OriginState): void {
    this.#state = state;
    this.#isChanged = true;
  }

  storeFailed(error: unknown): void {
    this.#storeFailure = describeError(error);
    this.#isChanged = true;
  }

  storeRecovered(): void {
    this.#storeFailure = null;
    this.#isChanged = true;
  }

  /** Returns the report since the last one; `undefined` if nothing has happened. */
  take(): OriginReport | undefined {
    if (!this.#isChanged) return undefined;
    const counts = this.#counts;
    this.#counts = { ...NO_COUNTS };
    this.#isChanged = false;
    return { state: this.#state, storeFailure: this.#storeFailure, counts };
  }

  #add(name: keyof OriginCounts, amount: number): void {
    this.#counts[name] += amount;
    this.#isChanged = true;
  }
}
