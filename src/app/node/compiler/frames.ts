import { DecodeError } from "#base/errors/index.ts";

const HEADER_BYTES = 4;

/** A message as it goes through a pipe: its length in 4 bytes, the least significant first, before it. */
export function frameOf(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(HEADER_BYTES + message.byteLength);
  new DataView(frame.buffer).setUint32(0, message.byteLength, true);
  frame.set(message, HEADER_BYTES);
  return frame;
}

/** Puts the messages together again that come in pieces of any size. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #header = new Uint8Array(HEADER_BYTES);
  #body: Uint8Array | undefined;
  /** Bytes that are there of the header, or of the body once that is begun. */
  #filled = 0;

  /** @param maxBytes - the longest message that is taken */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes a piece.
   *
   * @returns the messages that it completes
   * @throws {DecodeError} when a message is announced as longer than allowed; nothing after it can be
   *   read
   */
  push(piece: Uint8Array): Uint8Array[] {
    const messages: Uint8Array[] = [];
    let at = 0;
    // A message without content is complete without a further piece.
    while (at < piece.byteLength || this.#body?.byteLength === 0) {
      const target = this.#body ?? this.#header;
      const part = piece.subarray(at, at + target.byteLength - this.#filled);
      target.set(part, this.#filled);
      this.#filled += part.byteLength;
      at += part.byteLength;
      if (this.#filled < target.byteLength) break;
      this.#filled = 0;
      if (this.#body === undefined) this.#body = new Uint8Array(this.#announced());
      else {
        messages.push(this.#body);
        this.#body = undefined;
      }
    }
    return messages;
  }

  #announced(): number {
    const length = new DataView(this.#header.buffer).getUint32(0, true);
    if (length > this.#maxBytes) {
      throw new DecodeError("frame", `at most ${this.#maxBytes} bytes, not ${length}`);
    }
    return length;
  }
}
