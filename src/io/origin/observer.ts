/** Whether an origin responds, and since when. */
export type OriginState =
  | { readonly kind: "up"; readonly sinceUnixMs: number }
  | { readonly kind: "down"; readonly sinceUnixMs: number; readonly reason: string };

/** Receives the counts of an origin, for metrics, the log and readiness. */
export interface OriginObserver {
  /** A value was returned: `cache` is memory, a request in flight, or the file. */
  value(source: "cache" | "origin"): void;
  /** A value took so long, in milliseconds. */
  waited(milliseconds: number): void;
  /** An HTTP request was sent. */
  requested(calls: number): void;
  /** A response arrived; its size after decompression. */
  received(sizeBytes: number): void;
  /** A response of a URL limits the rate of requests. */
  limited(): void;
  /** The origin went up or down. */
  stateChanged(state: OriginState): void;
  /** The file could not store values; they are fetched again after a restart. Called once per failure. */
  storeFailed(error: unknown): void;
  /** The file stores values again. */
  storeRecovered(): void;
}
