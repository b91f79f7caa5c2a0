import type { Timer } from "#base/primitives/index.ts";
import type { ForkCache } from "./fork-cache.ts";
import type { OriginObserver } from "./observer.ts";
import { type OriginQuery, originQueryText } from "./query.ts";
import type { OriginRemote } from "./remote/remote.ts";

/** Answers queries for values of an origin. */
export interface OriginSource {
  /**
   * Returns the value of a query in its encoding.
   *
   * @returns `null` when the value is absent at the origin
   * @throws {OriginError} when the value is not cached, and the origin does not respond in time, refuses, or
   *   responds wrongly
   */
  answer(query: OriginQuery): Promise<Uint8Array | null>;
}

/** Dependencies of {@link createOriginSource}. */
export interface OriginSourceDeps {
  readonly remote: Pick<OriginRemote, "fetch" | "task">;
  readonly cache: Pick<ForkCache, "get" | "put">;
  readonly timer: Timer;
  readonly observer: Pick<OriginObserver, "value" | "waited">;
}

/** Creates a source that fetches each value once: concurrent queries for one value share a request. */
export function createOriginSource({
  remote,
  cache,
  timer,
  observer,
}: OriginSourceDeps): OriginSource {
  const inFlight = new Map<string, Promise<Uint8Array | null>>();
  const fetched = async (query: OriginQuery, key: string): Promise<Uint8Array | null> => {
    const startMs = timer.nowMs();
    try {
      const value = await remote.fetch(query, remote.task(key));
      // The newest block that L1 accepted is not final.
      if (query.kind !== "l1Accepted") cache.put(key, value);
      observer.value("origin");
      return value;
    } finally {
      inFlight.delete(key);
      observer.waited(timer.nowMs() - startMs);
    }
  };
  return {
    async answer(query) {
      const key = originQueryText(query);
      const known = query.kind === "l1Accepted" ? undefined : cache.get(key);
      if (known !== undefined) {
        observer.value("cache");
        return known;
      }
      const waiting = inFlight.get(key);
      if (waiting !== undefined) {
        observer.value("cache");
        return waiting;
      }
      const fetching = fetched(query, key);
      inFlight.set(key, fetching);
      return fetching;
    },
  };
}
