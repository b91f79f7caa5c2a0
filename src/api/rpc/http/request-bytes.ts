import type { RequestParser } from "./parser.ts";

/** Maximum bytes parsed at a time if they may contain many heads. */
const SLICE_BYTES = 16_384;

/**
 * Unparsed bytes of a connection. They are parsed in small slices, so that a connection that must pause holds
 * few requests: parsed requests take many times the memory of their bytes.
 */
export class RequestBytes {
  readonly #parser: RequestParser;
  #bytes: Uint8Array[] = [];
  #sizeBytes = 0;

  constructor(parser: RequestParser) {
    this.#parser = parser;
  }

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    this.#bytes.push(bytes);
    this.#sizeBytes += bytes.byteLength;
  }

  /**
   * Parses the next slice.
   *
   * @param bodyBytes - known number of body bytes that come next
   * @returns the parser's error code, as {@link RequestParser.read}
   */
  readNext(bodyBytes: number): string | undefined {
    const first = this.#bytes.shift();
    if (first === undefined) return undefined;
    const size = Math.max(SLICE_BYTES, bodyBytes);
    this.#sizeBytes -= Math.min(first.byteLength, size);
    if (first.byteLength <= size) return this.#parser.read(first);
    this.#bytes.unshift(first.subarray(size));
    return this.#parser.read(first.subarray(0, size));
  }

  /** Discards the bytes. @returns how many there were */
  clear(): number {
    const size = this.#sizeBytes;
    this.#bytes = [];
    this.#sizeBytes = 0;
    return size;
  }
}
