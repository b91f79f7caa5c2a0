import type { RequestParser } from "./parser.ts";

/** Most bytes that are parsed at a time where they may hold many heads. */
const SLICE_BYTES = 16_384;

/**
 * Bytes of a connection that are not parsed yet. They are parsed little by little, so that a connection
 * stops with few requests in hand where it has to: as requests they take many times their bytes.
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

  /** How many there are. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    this.#bytes.push(bytes);
    this.#sizeBytes += bytes.byteLength;
  }

  /**
   * Parses the next part.
   *
   * @param bodyBytes - so many bytes of a body come next
   * @returns the code of the parser's error, as {@link RequestParser.read}
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

  /** Forgets them. @returns how many there were */
  clear(): number {
    const size = this.#sizeBytes;
    this.#bytes = [];
    this.#sizeBytes = 0;
    return size;
  }
}
