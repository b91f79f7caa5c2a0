/**
 * Offset of the chain's time from the wall clock: one word of memory shared by all threads, so that estimates
 * use the time of the block that would be made. It outlives thread restarts. Only the executor writes it.
 */
export class ClockPage {
  readonly #words: BigInt64Array;

  /** @param page - made by {@link createClockPage} */
  constructor(page: SharedArrayBuffer) {
    this.#words = new BigInt64Array(page);
  }

  /** Milliseconds to add to the wall clock; 0 while the wall clock is trusted. */
  get correctionMs(): number {
    return Number(Atomics.load(this.#words, 0));
  }

  set correctionMs(value: number) {
    Atomics.store(this.#words, 0, BigInt(Math.round(value)));
  }
}

/** Creates a page without a correction: the wall clock is trusted. */
export function createClockPage(): SharedArrayBuffer {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
}
