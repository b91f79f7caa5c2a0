/**
 * Result of a read from a JSON stream whose bytes have not all arrived: repeat the read after more
 * bytes.
 */
export const PENDING: unique symbol = Symbol("more bytes have to arrive");

/** Type of {@link PENDING}. */
export type Pending = typeof PENDING;

/** Computation that yields whenever it needs more bytes, and returns a value. */
export type Reading<T> = Generator<undefined, T, undefined>;

/** Repeats an attempt, yielding until its bytes have arrived. */
export function* arrived<T>(attempt: () => T | Pending): Reading<T> {
  for (;;) {
    const value = attempt();
    if (value !== PENDING) return value;
    yield;
  }
}
