import { RecentMap, type Timer } from "#base/primitives/index.ts";
import type { ForkStore, ForkStoreEntry } from "#io/storage/index.ts";
import type { OriginObserver } from "./observer.ts";

/** Settings of a {@link ForkCache}. */
export interface ForkCacheOptions {
  readonly store: ForkStore;
  readonly timer: Timer;
  /** Maximum time from a value's arrival until it is written, in milliseconds. */
  readonly flushMs: number;
  /** Number of waiting values that are written immediately. */
  readonly flushCount: number;
  /** Time until the next attempt after a failed write, in milliseconds. */
  readonly retryMs: number;
  /** Maximum size of values in memory, written or not, in bytes. */
  readonly memoryBytes: number;
  readonly observer: Pick<OriginObserver, "storeFailed" | "storeRecovered">;
}

type Held = Omit<ForkStoreEntry, "key">;

/** Maximum number of used values whose use is written; those that were used last. */
const MAX_USED = 16_384;

/** Estimated memory of an entry besides its key and value, in bytes. */
const ENTRY_BYTES = 200;

function weightOf({ value }: Held, key: string): number {
  return ENTRY_BYTES + key.length * 2 + (value?.byteLength ?? 0);
}

/**
 * Cache of an origin's values in memory and in a file. When the file cannot be written, the values
 * in memory remain: the fork continues, and writing is tried again.
 */
export class ForkCache {
  readonly #options: ForkCacheOptions;
  readonly #recent: RecentMap<string, Held>;
  /** Limited values that were used since the file knows of uses. */
  readonly #used = new RecentMap<string, true>(MAX_USED);
  /** Values that are not yet written. */
  readonly #waiting: RecentMap<string, Held>;
  #cancelFlush: (() => void) | undefined;
  #isFailing = false;

  constructor(options: ForkCacheOptions) {
    this.#options = options;
    this.#recent = new RecentMap(options.memoryBytes, weightOf);
    this.#waiting = new RecentMap<string, Held>(options.memoryBytes, weightOf);
  }

  /** Returns a value; `null` when the origin has none, `undefined` when it was not fetched before. */
  get(key: string): Uint8Array | null | undefined {
    const held = this.#find(key);
    if (held?.isLimited === true) this.#used.set(key, true);
    return held?.value;
  }

  /** Takes a value out of the size limit of the file, if it is known. */
  keep(key: string): void {
    const held = this.#find(key);
    if (held?.isLimited === true) this.put(key, held.value, false);
  }

  /**
   * Keeps a value, and writes it soon.
   *
   * @param limited - whether it counts for the size limit of the file
   */
  put(key: string, value: Uint8Array | null, limited: boolean): void {
    const held = { value, isLimited: limited };
    this.#recent.set(key, held);
    this.#waiting.set(key, held);
    const { flushCount, flushMs } = this.#options;
    if (this.#waiting.size >= flushCount && !this.#isFailing) this.flush();
    else this.#flushIn(flushMs);
  }

  /** Writes all waiting values. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#waiting.size === 0) return;
    const { store, observer, retryMs } = this.#options;
    try {
      if (store.isFull()) this.#writeUses();
      store.putAll([...this.#waiting.entries()].map(([key, waiting]) => ({ key, ...waiting })));
    } catch (error) {
      if (!this.#isFailing) observer.storeFailed(error);
      this.#isFailing = true;
      this.#flushIn(retryMs);
      return;
    }
    this.#waiting.clear();
    if (this.#isFailing) observer.storeRecovered();
    this.#isFailing = false;
  }

  /** Writes all waiting values, and closes the file. */
  close(): void {
    this.flush();
    this.#cancelFlush?.();
    const { store, observer } = this.#options;
    try {
      this.#writeUses();
    } catch (error) {
      observer.storeFailed(error);
    }
    store.close();
  }

  #writeUses(): void {
    this.#options.store.use([...this.#used.entries()].map(([key]) => key));
    this.#used.clear();
  }

  #find(key: string): Held | undefined {
    const known = this.#recent.touch(key) ?? this.#waiting.get(key);
    if (known !== undefined) return known;
    const held = this.#read(key);
    if (held !== undefined) this.#recent.set(key, held);
    return held;
  }

  #flushIn(delayMs: number): void {
    this.#cancelFlush ??= this.#options.timer.after(delayMs, () => this.flush());
  }

  /** An unreadable file is as good as an empty one. */
  #read(key: string): Held | undefined {
    const { store, observer } = this.#options;
    try {
      return store.get(key);
    } catch (error) {
      if (!this.#isFailing) observer.storeFailed(error);
      this.#isFailing = true;
      return undefined;
    }
  }
}
