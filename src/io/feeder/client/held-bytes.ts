/** How many bytes answers under way hold together, and how many they may. */
export class HeldBytes {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @returns `false`: they are too many now; they count all the same */
  take(sizeBytes: number): boolean {
    this.#held += sizeBytes;
    return this.#held <= this.#max;
  }

  release(sizeBytes: number): void {
    this.#held -= sizeBytes;
  }
}
