/** Measures for how long nothing has come of a body. */
export class Silence {
  #bytes = 0;
  #ms = 0;

  /** Starts with the bytes that have arrived so far. */
  begin(arrivedBytes: number): void {
    this.#bytes = arrivedBytes;
    this.#ms = 0;
  }

  /** Time has passed in which it could come. @returns for how long nothing has come, in milliseconds */
  pass(arrivedBytes: number, ms: number): number {
    if (arrivedBytes !== this.#bytes) this.begin(arrivedBytes);
    else this.#ms += ms;
    return this.#ms;
  }
}
