/** Initial estimate in milliseconds per byte, before any compilation: large classes on a slow machine. */
const FIRST_MS_PER_BYTE = 0.005;

/** Fixed cost of a compilation, expressed in bytes added to each class size. */
const CLASS_BYTES = 16 << 10;

/** Decay factor that each new compilation applies to the weight of earlier ones. */
const MEMORY = 7 / 8;

/** Estimates compilation time from the durations and class sizes of earlier compilations. */
export class CompileCosts {
  #bytes = CLASS_BYTES;
  #ms = CLASS_BYTES * FIRST_MS_PER_BYTE;

  /**
   * Estimated time for one compiler to compile `count` classes with `sizeBytes` in total, in milliseconds.
   */
  msOf(sizeBytes: number, count: number): number {
    return ((sizeBytes + count * CLASS_BYTES) * this.#ms) / this.#bytes;
  }

  /** Records that compiling a class of this size took `ms`. */
  add(sizeBytes: number, ms: number): void {
    this.#bytes = this.#bytes * MEMORY + sizeBytes + CLASS_BYTES;
    this.#ms = this.#ms * MEMORY + ms;
  }
}
