import { OriginError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ForkCache } from "./fork-cache.ts";
import type { OriginObserver } from "./observer.ts";
import { isLackOfNode, isLimited, type OriginQuery, originQueryText } from "./query.ts";
import type { OriginRemote } from "./remote/remote.ts";

/** Returns the values that queries name, from the cache or the origin. */
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

/** {@link OriginSource} that says which values it need not request. */
export interface CachingSource extends OriginSource {
  /** Whether a value is cached or requested already. */
  knows(query: OriginQuery): boolean;
  /**
   * As {@link answer}, for a value that the chain itself depends on: no size limit of the file applies to it.
   *
   * @throws {OriginError} as {@link answer}
   */
  keep(query: OriginQuery): Promise<Uint8Array | null>;
}

/** Dependencies of {@link createOriginSource}. */
export interface OriginSourceDeps {
  readonly remote: Pick<OriginRemote, "fetch" | "task">;
  readonly cache: Pick<ForkCache, "get" | "put" | "keep">;
  readonly timer: Timer;
  readonly observer: Pick<OriginObserver, "value" | "waited">;
}

/** Creates a source that fetches each value once: concurrent queries for one value share a request. */
export function createOriginSource({
  remote,
  cache,
  timer,
  observer,
}: OriginSourceDeps): CachingSource {
  const inFlight = new Map<string, Promise<Uint8Array | null>>();
  const fetched = async (query: OriginQuery, key: string): Promise<Uint8Array | null> => {
    const startMs = timer.nowMs();
    try {
      const value = await remote.fetch(query, remote.task(key));
      if (!isLackOfNode(query, value)) cache.put(key, value, isLimited(query));
      observer.value("origin");
      return value;
    } finally {
      inFlight.delete(key);
      observer.waited(timer.nowMs() - startMs);
    }
  };
  const refreshed = (query: OriginQuery, key: string, known: Uint8Array | null) => {
    if (inFlight.has(key)) return known;
    const fetching = fetched(query, key);
    inFlight.set(key, fetching);
    return orKnown(fetching, known, timer);
  };
  const source: CachingSource = {
    async keep(query) {
      const value = await source.answer(query);
      cache.keep(originQueryText(query));
      return value;
    },
    knows(query) {
      const key = originQueryText(query);
      return inFlight.has(key) || cache.get(key) !== undefined;
    },
    async answer(query) {
      const key = originQueryText(query);
      const known = cache.get(key);
      if (known !== undefined && query.kind === "l1Accepted") return refreshed(query, key, known);
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
  return source;
}

/** Wait for a newer value than a known one, in milliseconds. */
const REFRESH_MS = 1_000;

/** Returns a newer value, or the known one if the origin does not return it soon: a fork continues without it. */
async function orKnown(
  fetching: Promise<Uint8Array | null>,
  known: Uint8Array | null,
  timer: Timer,
): Promise<Uint8Array | null> {
  const late = Promise.withResolvers<Uint8Array | null>();
  const cancel = timer.after(REFRESH_MS, () => late.resolve(known));
  const newer = fetching.catch((error: unknown) => {
    if (error instanceof OriginError) return known;
    throw error;
  });
  try {
    return await Promise.race([newer, late.promise]);
  } finally {
    cancel();
  }
}
