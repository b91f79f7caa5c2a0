const FIRST_BYTES = 1_024;

/**
 * Bytes of an arriving message, in one growing buffer: as separate pieces, a message sent byte by byte would
 * take many times its length.
 */
export class MessageBytes {
  #kept = new Uint8Array(0);
  #size = 0;
  /** Number of frames so far; maintained by the reader. */
  frames = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the space for the next bytes, for the caller to fill. */
  extend(bytes: number): Uint8Array {
    const begin = this.#size;
    this.#size += bytes;
    if (this.#size > this.#kept.byteLength) {
      const grown = new Uint8Array(Math.max(FIRST_BYTES, 2 * this.#kept.byteLength, this.#size));
      grown.set(this.#kept);
      this.#kept = grown;
    }
    return this.#kept.subarray(begin, this.#size);
  }

  /** Returns a view of all bytes so far. */
  bytes(): Uint8Array {
    return this.#kept.subarray(0, this.#size);
  }
}
