const FIRST_BYTES = 1_024;

/**
 * The bytes of a message as they arrive, in one growing piece: kept one by one, the parts of a message
 * that is sent byte by byte would take many times its length.
 */
export class MessageBytes {
  #kept = new Uint8Array(0);
  #size = 0;
  /** Frames so far, as the reader counts them. */
  frames = 0;

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** The place of the next bytes, for the caller to fill. */
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

  /** Everything so far; a view. */
  bytes(): Uint8Array {
    return this.#kept.subarray(0, this.#size);
  }
}
