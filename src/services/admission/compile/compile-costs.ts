/** Milliseconds for each byte of a class before any was compiled: those of large classes on a slow machine. */
const FIRST_MS_PER_BYTE = 0.005;

/** Bytes that every class counts beyond its own: what a compilation costs however small it is. */
const CLASS_BYTES = 16 << 10;

/** What earlier compilations weigh after each further one. */
const MEMORY = 7 / 8;

/** Estimates what compilations take, by what earlier ones took for the size of their classes. */
export class CompileCosts {
  #bytes = CLASS_BYTES;
  #ms = CLASS_BYTES * FIRST_MS_PER_BYTE;

  /** Estimated time of one compiler for `count` classes of `sizeBytes` together, in milliseconds. */
  msOf(sizeBytes: number, count: number): number {
    return ((sizeBytes + count * CLASS_BYTES) * this.#ms) / this.#bytes;
  }

  /** A compilation of a class of this size took `ms`. */
  add(sizeBytes: number, ms: number): void {
    this.#bytes = this.#bytes * MEMORY + sizeBytes + CLASS_BYTES;
    this.#ms = this.#ms * MEMORY + ms;
  }
}
