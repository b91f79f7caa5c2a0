const ONE = (): number => 1;

/**
 * A bounded map: whoever is set or touched becomes the newest, and beyond the capacity the oldest go.
 * Entries count one each, or as much as `weightOf` says.
 */
export class RecentMap<Key, Value extends NonNullable<unknown>> {
  readonly #capacity: number;
  readonly #weightOf: (value: Value, key: Key) => number;
  /** The oldest first. */
  readonly #entries = new Map<Key, Value>();
  #weight = 0;

  /**
   * @param capacity - the most that all entries together may count
   * @param weightOf - what an entry counts, the same each time it is asked
   */
  constructor(capacity: number, weightOf: (value: Value, key: Key) => number = ONE) {
    this.#capacity = capacity;
    this.#weightOf = weightOf;
  }

  /** How many entries there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** What all entries count together. */
  get weight(): number {
    return this.#weight;
  }

  /** Whether there is an entry; it does not become newer by this. */
  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** The value of a key; it does not become newer by this. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** All values, the oldest first. */
  values(): Iterable<Value> {
    return this.#entries.values();
  }

  /** The value of a key, which is the newest from now on. */
  touch(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Sets the newest entry; the oldest go while all count more than the capacity, this one last. */
  set(key: Key, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weightOf(value, key);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  /** Removes an entry and gives what it was. */
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
