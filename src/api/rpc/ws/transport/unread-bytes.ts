import type { ReadAhead } from "./read-ahead.ts";

/** Reading from the socket pauses above this number of unread bytes. */
const MUCH_BYTES = 65_536;

/** Reading pauses above this number while all connections together have too many unread bytes. */
const FEW_BYTES = 4_096;

/** Bytes of a client that wait for its turn, in order. */
export class UnreadBytes {
  readonly #ahead: Pick<ReadAhead, "change" | "isFull">;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isMuch = false;
  #isEnded = false;

  /** @param ahead - counts the bytes of all connections */
  constructor(ahead: Pick<ReadAhead, "change" | "isFull">) {
    this.#ahead = ahead;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether reading from the socket should pause until all waiting bytes are read. */
  get isMuch(): boolean {
    return this.#isMuch;
  }

  /** Adds received bytes, taking ownership of them. */
  push(bytes: Uint8Array): void {
    this.#count(bytes.byteLength);
    if (this.#isEnded) freeBytes(bytes);
    // A part of a larger buffer is copied, because it cannot be freed: others may use the rest.
    else this.#pieces.push(isWhole(bytes) ? bytes : bytes.slice());
  }

  /** Removes the first bytes; the caller must call {@link freeBytes} once they are read. */
  shift(): Uint8Array | undefined {
    const bytes = this.#pieces.shift();
    this.#count(-(bytes?.byteLength ?? 0));
    return bytes;
  }

  /** Returns the unread rest of removed bytes to the front. */
  putBack(rest: Uint8Array): void {
    this.#pieces.unshift(rest);
    this.#count(rest.byteLength);
  }

  /**
   * Discards all bytes, including later ones. Those still count, so that {@link isMuch} detects a client that
   * keeps sending.
   */
  end(): void {
    if (this.#isEnded) return;
    for (const piece of this.#pieces) freeBytes(piece);
    this.#pieces = [];
    this.#count(-this.#bytes);
    this.#isEnded = true;
  }

  #count(change: number): void {
    this.#bytes += change;
    // Bytes that are discarded take no memory.
    if (!this.#isEnded) this.#ahead.change(change);
    if (this.#bytes === 0) this.#isMuch = false;
    else if (this.#bytes > (this.#ahead.isFull ? FEW_BYTES : MUCH_BYTES)) this.#isMuch = true;
  }
}

/**
 * Frees the memory of bytes immediately, including the whole buffer that they are part of: garbage collection
 * would come long after a flood has filled it again.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function isWhole({ byteLength, buffer }: Uint8Array): boolean {
  return byteLength === buffer.byteLength;
}
