/** A favoured body of which nothing comes for so long lets another one go on beside it. */
const SILENCE_MS = 300;

/** Measures for how long nothing has come of a body. */
export class Silence {
  #bytes = 0;
  #ms = 0;

  /** Starts with the bytes that have arrived so far. */
  begin(arrivedBytes: number): void {
    this.#bytes = arrivedBytes;
    this.#ms = 0;
  }

  /** Time has passed in which it could come. @returns whether others should not wait for it */
  isLong(arrivedBytes: number, passedMs: number): boolean {
    if (arrivedBytes !== this.#bytes) this.begin(arrivedBytes);
    else this.#ms += passedMs;
    return this.#ms >= SILENCE_MS;
  }
}
