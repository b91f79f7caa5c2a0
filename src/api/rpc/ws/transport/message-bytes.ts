import { freeBytes } from "./unread-bytes.ts";

/** Size of a buffer that is kept from one message to the next. */
const KEPT_BYTES = 1_024;

/**
 * Bytes of an arriving message, in one growing buffer: as separate pieces, a message sent byte by byte would
 * take many times its length. Buffers of long messages are freed immediately: garbage collection would come
 * long after a flood of them has filled memory.
 */
export class MessageBytes {
  #buffer = new Uint8Array(0);
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
    if (this.#size > this.#buffer.byteLength) {
      const grown = new Uint8Array(Math.max(KEPT_BYTES, 2 * this.#buffer.byteLength, this.#size));
      grown.set(this.#buffer.subarray(0, begin));
      this.#free();
      this.#buffer = grown;
    }
    return this.#buffer.subarray(begin, this.#size);
  }

  /** Returns a view of all bytes so far; valid until {@link extend} or {@link clear}. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Discards the message: the next one begins. */
  clear(): void {
    this.#size = 0;
    this.frames = 0;
    if (this.#buffer.byteLength > KEPT_BYTES) this.#free();
  }

  #free(): void {
    freeBytes(this.#buffer);
    this.#buffer = new Uint8Array(0);
  }
}
