import { RecentMap } from "#base/primitives/index.ts";

/** Most that are remembered while they have nothing waiting; the one that left first is forgotten. */
const MAX_ABSENT = 256;

/** Who is next. */
export interface Next<K, V> {
  readonly key: K;
  readonly value: V;
  /** What it asks for. */
  readonly costMs: number;
  /** What it will have had then. */
  readonly endMs: number;
}

interface Entry<V> {
  readonly value: V;
  /** Order of arrival. */
  readonly order: number;
  /** What was spent on it, on the scale of its level. */
  spentMs: number;
}

/**
 * Those who wait for the same thing. Next is the one that would have had least when it was served (self-
 * clocked fair queueing, Golestani 1994): who had less before, or asks for less now, need not wait for
 * others. Whoever begins to wait has no claim to the time in which it did not, and keeps what it was
 * served before. Taking the next one looks at all who wait.
 */
export class FairLevel<K, V> {
  readonly #present = new Map<K, Entry<V>>();
  readonly #absent = new RecentMap<K, Pick<Entry<V>, "value" | "spentMs">>(MAX_ABSENT);
  #arrivals = 0;
  /** What the one that was served last has had. */
  #nowMs = 0;

  /** Whether nobody waits. */
  get isEmpty(): boolean {
    return this.#present.size === 0;
  }

  /** What belongs to someone who waits. */
  get(key: K): V | undefined {
    return this.#present.get(key)?.value;
  }

  /** The same of someone who need not wait now. */
  find(key: K): V | undefined {
    return (this.#present.get(key) ?? this.#absent.get(key))?.value;
  }

  /** What belongs to someone who waits from now on, if it did not before. */
  enter(key: K, make: () => V): V {
    const present = this.#present.get(key);
    if (present !== undefined) return present.value;
    const known = this.#absent.delete(key);
    const value = known === undefined ? make() : known.value;
    const spentMs = Math.max(this.#nowMs, known?.spentMs ?? 0);
    this.#present.set(key, { value, order: this.#arrivals++, spentMs });
    return value;
  }

  /**
   * Who is next; of equals the one that came first.
   *
   * @param costMs - what someone asks for now; `undefined`: it is passed over
   */
  peek(costMs: (value: V, key: K) => number | undefined): Next<K, V> | undefined {
    let next: (Next<K, V> & { readonly order: number }) | undefined;
    for (const [key, { value, order, spentMs }] of this.#present) {
      const cost = costMs(value, key);
      if (cost === undefined) continue;
      const endMs = spentMs + cost;
      const isBefore =
        next === undefined || endMs < next.endMs || (endMs === next.endMs && order < next.order);
      if (isBefore) next = { key, value, order, endMs, costMs: cost };
    }
    return next;
  }

  /** The one that {@link peek} gave is served. */
  serve({ endMs }: Next<K, V>): void {
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }

  /** Counts what was spent on someone; negative when less was spent than counted before. */
  charge(key: K, ms: number): void {
    const known = this.#present.get(key) ?? this.#absent.get(key);
    if (known !== undefined) known.spentMs += ms;
  }

  /** Someone has nothing waiting any more. */
  leave(key: K): void {
    const present = this.#present.get(key);
    if (present === undefined) return;
    this.#present.delete(key);
    const { value, spentMs } = present;
    this.#absent.set(key, { value, spentMs });
  }
}
