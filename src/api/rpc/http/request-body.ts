import { isAscii } from "node:buffer";

/** Range `from` to `to` of a buffer: creating a view would take longer than reading most bodies. */
export interface BodyPart {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** For longer buffers only the body's own bytes are checked for ASCII, not the head before them. */
const SHORT_CHUNK_BYTES = 4_096;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Body of a request, as it was sent. */
export class RequestBody {
  readonly #parts: readonly BodyPart[];

  constructor(parts: readonly BodyPart[]) {
    this.#parts = parts;
  }

  get byteLength(): number {
    return this.#parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  bytes(): Uint8Array {
    const views = this.#parts.map(({ bytes, from, to }) => bytes.subarray(from, to));
    const [only] = views;
    return views.length === 1 && only !== undefined ? only : Buffer.concat(views);
  }

  /** @returns `undefined` if the bytes are not UTF-8 */
  text(): string | undefined {
    const [only] = this.#parts;
    if (this.#parts.length === 1 && only !== undefined) {
      const { bytes, from, to } = only;
      const isShort = bytes.byteLength <= SHORT_CHUNK_BYTES;
      if (isShort && isAscii(bytes)) return bytes.toString("latin1", from, to);
    }
    return textOf(this.bytes());
  }
}

/** Decodes the bytes of a request body. @returns `undefined` if the bytes are not UTF-8 */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the same memory as a `Buffer`; bytes from a socket already are one. */
export function bufferOf(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
