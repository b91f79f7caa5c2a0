/** In place of a result: more bytes have to arrive. Ask again then. */
export const PENDING: unique symbol = Symbol("more bytes have to arrive");

/** In place of a result: more bytes have to arrive. */
export type Pending = typeof PENDING;

/** Work that pauses (yields) where it needs more bytes than have arrived, and ends with a value. */
export type Reading<T> = Generator<undefined, T, undefined>;

/** Repeats an attempt until its bytes have arrived. */
export function* arrived<T>(attempt: () => T | Pending): Reading<T> {
  for (;;) {
    const value = attempt();
    if (value !== PENDING) return value;
    yield;
  }
}
