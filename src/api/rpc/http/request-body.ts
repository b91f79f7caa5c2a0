import { isAscii } from "node:buffer";

/** Bytes `from` to `to` of some: a view of them would take longer to make than most bodies to read. */
export interface BodyPart {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** A body of more bytes than this is looked at alone, not with the head before it. */
const SHORT_CHUNK_BYTES = 4_096;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body of a request, as it was sent. */
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

  /** @returns `undefined` when the bytes are not UTF-8 */
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

/** @returns `undefined` when the bytes are not UTF-8 */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The same memory; bytes of a socket are of the runtime's own type. */
export function bufferOf(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
