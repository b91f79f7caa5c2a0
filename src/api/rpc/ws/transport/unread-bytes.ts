/** More than this waits to be read: no more is taken from the socket. */
const MUCH_BYTES = 65_536;

/** Bytes of a client that wait for their turn, in their order. */
export class UnreadBytes {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isMuch = false;
  #isEnded = false;

  /** How many bytes wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether no more should be taken from the socket until all of this is read. */
  get isMuch(): boolean {
    return this.#isMuch;
  }

  /** Adds the next bytes, which belong to this from now on. */
  push(bytes: Uint8Array): void {
    this.#count(bytes.byteLength);
    if (this.#isEnded) freeBytes(bytes);
    // A part of a larger piece cannot be freed: others may look at the rest of it.
    else this.#pieces.push(isWhole(bytes) ? bytes : bytes.slice());
  }

  /** Takes the first bytes out; {@link freeBytes} is to follow once they are read. */
  shift(): Uint8Array | undefined {
    const bytes = this.#pieces.shift();
    this.#count(-(bytes?.byteLength ?? 0));
    return bytes;
  }

  /** Puts the rest of what was taken out back to the front. */
  putBack(rest: Uint8Array): void {
    this.#pieces.unshift(rest);
    this.#count(rest.byteLength);
  }

  /** Forgets everything, and what comes from now on; of a client that goes on there will be much. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const piece of this.#pieces) freeBytes(piece);
    this.#pieces = [];
    this.#count(-this.#bytes);
  }

  #count(change: number): void {
    this.#bytes += change;
    if (this.#bytes === 0) this.#isMuch = false;
    else if (this.#bytes > MUCH_BYTES) this.#isMuch = true;
  }
}

/**
 * Gives the memory of bytes back at once, and that of the whole piece which they are a part of: the garbage
 * collector would come long after a flood has filled it again.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function isWhole({ byteLength, buffer }: Uint8Array): boolean {
  return byteLength === buffer.byteLength;
}
