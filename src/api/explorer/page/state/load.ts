import { useEffect, useState } from "hono/jsx/dom";
import { revision } from "./chain.ts";

/** State of data that a view needs. */
export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "ready"; readonly value: T };

/** When data is loaded again. */
export interface LoadOptions {
  /** Loads again after each change of the chain; the old value stays on screen meanwhile. */
  readonly isLive?: boolean;
  /** Shortest time from one load to the next, in milliseconds; none by default. The last change is always loaded. */
  readonly pauseMs?: number;
}

/**
 * Loads data for a view, again whenever `key` changes. A result that arrives after a newer request is dropped. A live
 * view is not drawn again if `load` returns the same object as before.
 *
 * @param key - names what is loaded
 */
export function useLoad<T>(
  key: string,
  load: () => Promise<T>,
  options: LoadOptions = {},
): Loaded<T> {
  const [result, setResult] = useState<{ key: string; loaded: Loaded<T> }>({
    key,
    loaded: { state: "loading" },
  });
  useEffect(() => {
    let last: Loaded<T> = { state: "loading" };
    let isCurrent = true;
    let isBusy = false;
    let isStale = false;
    const run = async (): Promise<void> => {
      if (isBusy) {
        isStale = true;
        return;
      }
      isBusy = true;
      const startedMs = performance.now();
      const loaded = await settled(load);
      if (!isCurrent) return;
      if (!isSameValue(last, loaded)) setResult({ key, loaded });
      last = loaded;
      if (options.pauseMs !== undefined) {
        await waited(startedMs + options.pauseMs - performance.now());
      }
      isBusy = false;
      if (!isCurrent) return;
      if (isStale) {
        isStale = false;
        void run();
      }
    };
    void run();
    // A view that failed loads again when the chain changes or the node is back.
    const end = revision.observe(() => {
      if (options.isLive === true || last.state === "failed") void run();
    });
    return () => {
      isCurrent = false;
      end();
    };
  }, [key]);
  return result.key === key ? result.loaded : { state: "loading" };
}

/** Whether the value is the one on screen, which needs no drawing. */
function isSameValue<T>(last: Loaded<T>, next: Loaded<T>): boolean {
  return last.state === "ready" && next.state === "ready" && Object.is(last.value, next.value);
}

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function settled<T>(load: () => Promise<T>): Promise<Loaded<T>> {
  try {
    return { state: "ready", value: await load() };
  } catch (error) {
    return { state: "failed", error };
  }
}
