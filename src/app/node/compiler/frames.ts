import { DecodeError } from "#base/errors/index.ts";

const HEADER_BYTES = 4;

/** Encodes a message for a pipe, prefixed with its length in 4 bytes, little-endian. */
export function frameOf(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(HEADER_BYTES + message.byteLength);
  new DataView(frame.buffer).setUint32(0, message.byteLength, true);
  frame.set(message, HEADER_BYTES);
  return frame;
}

/** Reassembles messages from chunks of any size. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #header = new Uint8Array(HEADER_BYTES);
  #body: Uint8Array | undefined;
  /** Number of bytes received of the header, or of the body once it has started. */
  #filled = 0;

  /** @param maxBytes - maximum message length */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Consumes a chunk.
   *
   * @returns the messages that it completes
   * @throws {DecodeError} when an announced length exceeds the limit; nothing after it can be read
   */
  push(piece: Uint8Array): Uint8Array[] {
    const messages: Uint8Array[] = [];
    let at = 0;
    // An empty message is complete without another chunk.
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
