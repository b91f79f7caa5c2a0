/** Counts the bytes that responses in flight hold together, against a maximum. */
export class HeldBytes {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds bytes. @returns `false` if the total exceeds the maximum; the bytes still count */
  take(sizeBytes: number): boolean {
    this.#held += sizeBytes;
    return this.#held <= this.#max;
  }

  release(sizeBytes: number): void {
    this.#held -= sizeBytes;
  }
}
