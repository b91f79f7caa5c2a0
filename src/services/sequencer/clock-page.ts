/**
 * How far the chain's time is from the wall clock's: one word of memory that all threads share, so that
 * what is estimated has the time of the block that would be made. It outlives threads that start again. The
 * executor alone writes it.
 */
export class ClockPage {
  readonly #words: BigInt64Array;

  /** @param page - of {@link createClockPage} */
  constructor(page: SharedArrayBuffer) {
    this.#words = new BigInt64Array(page);
  }

  /** Milliseconds to be added to what the wall clock says; 0: it is believed. */
  get correctionMs(): number {
    return Number(Atomics.load(this.#words, 0));
  }

  set correctionMs(value: number) {
    Atomics.store(this.#words, 0, BigInt(Math.round(value)));
  }
}

/** A page of a wall clock that is believed. */
export function createClockPage(): SharedArrayBuffer {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
}
