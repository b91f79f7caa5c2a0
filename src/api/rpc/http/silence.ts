/** Time without bytes after which another body may be favoured in place of the silent one. */
const SILENCE_MS = 300;

/** Measures for how long no bytes of a body have arrived. */
export class Silence {
  #bytes = 0;
  #ms = 0;

  /** Starts at the current number of arrived bytes. */
  begin(arrivedBytes: number): void {
    this.#bytes = arrivedBytes;
    this.#ms = 0;
  }

  /** Records time during which the body could arrive. @returns whether others should no longer wait for it */
  isLong(arrivedBytes: number, passedMs: number): boolean {
    if (arrivedBytes !== this.#bytes) this.begin(arrivedBytes);
    else this.#ms += passedMs;
    return this.#ms >= SILENCE_MS;
  }
}
