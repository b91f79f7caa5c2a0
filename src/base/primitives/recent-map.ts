const ONE = (): number => 1;

/**
 * Bounded map with least-recently-used eviction: setting or touching an entry makes it the newest, and the
 * oldest entries are evicted beyond the capacity. Each entry weighs one, or what `weightOf` returns.
 */
export class RecentMap<Key, Value extends NonNullable<unknown>> {
  readonly #capacity: number;
  readonly #weightOf: (value: Value, key: Key) => number;
  /** Entries, oldest first. */
  readonly #entries = new Map<Key, Value>();
  #weight = 0;

  /**
   * @param capacity - maximum total weight
   * @param weightOf - weight of an entry; must return the same value on every call
   */
  constructor(capacity: number, weightOf: (value: Value, key: Key) => number = ONE) {
    this.#capacity = capacity;
    this.#weightOf = weightOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  get weight(): number {
    return this.#weight;
  }

  /** Whether an entry exists; does not make it newer. */
  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** Returns the value of a key; does not make it newer. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** All keys with their values, oldest first. */
  entries(): Iterable<readonly [Key, Value]> {
    return this.#entries.entries();
  }

  /** All values, oldest first. */
  values(): Iterable<Value> {
    return this.#entries.values();
  }

  /** Returns the value of a key and makes it the newest. */
  touch(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /**
   * Sets the newest entry; evicts the oldest while the total weight exceeds the capacity, this entry last.
   */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weightOf(value, key);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  /** Removes an entry and returns its value. */
  delete(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#weight -= this.#weightOf(value, key);
    return value;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
