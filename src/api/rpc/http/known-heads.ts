import type { RequestHead } from "./request-head.ts";

/** Maximum number of cached heads: the clients of a node send few different ones. */
export const MAX_KNOWN_HEADS = 128;

/** Longer heads are not cached. */
const MAX_HEAD_BYTES = 2_048;

const END = Buffer.from("\r\n\r\n");

/** Cached head that the parser has read before. */
export interface KnownHead {
  readonly head: RequestHead;
  /** Bytes of the head, including the empty line. */
  readonly bytes: Buffer;
  /** Parser progress after this head if no body follows it: see `LlhttpProgress.unreportedBytes`. */
  readonly unreportedBytes: number;
}

/**
 * Cache of parsed heads, keyed by their bytes. Between two requests a parser is always in the same state, so
 * the same bytes give the same result. Clients send the same head with each request of a connection, and
 * parsing it takes longer than most responses do.
 *
 * Cached are only heads that announce the length of their body, or have no body, and that keep the connection
 * alive: for those the end of the request and the parser's state after it are known.
 */
export class KnownHeads {
  readonly #maxHeads: number;
  readonly #heads = new Map<string, KnownHead>();

  /** @param maxHeads - 0 disables the cache */
  constructor(maxHeads: number) {
    this.#maxHeads = maxHeads;
  }

  get size(): number {
    return this.#heads.size;
  }

  /**
   * Finds the cached head at the start of the bytes.
   *
   * @param before - previous head of the connection: most often the same head comes again
   */
  find(bytes: Buffer, before: KnownHead | undefined): KnownHead | undefined {
    if (before !== undefined && beginsWith(bytes, before.bytes)) return before;
    if (this.#heads.size === 0) return undefined;
    const end = bytes.indexOf(END);
    if (end === -1 || end > MAX_HEAD_BYTES) return undefined;
    return this.#heads.get(bytes.toString("latin1", 0, end + END.byteLength));
  }

  /**
   * Caches a head.
   *
   * @param bytes - bytes parsed since the end of the previous request: the head, and `bodyBytes` of its body
   * @param unreportedBytes - parser progress after those bytes
   */
  learn(head: RequestHead, bytes: Buffer, bodyBytes: number, unreportedBytes: number): void {
    const headBytes = bytes.byteLength - bodyBytes;
    if (headBytes > MAX_HEAD_BYTES || !isPlain(head)) return;
    if (bytes.indexOf(END) + END.byteLength !== headBytes) return;
    if (this.#maxHeads === 0) return;
    // A flood of different heads costs other clients only one more parse each.
    if (this.#heads.size >= this.#maxHeads) this.#heads.clear();
    const hasBody = (head.announcedBytes ?? 0) > 0;
    const copy = Buffer.from(bytes.subarray(0, headBytes));
    const known = { head, bytes: copy, unreportedBytes: hasBody ? 0 : unreportedBytes };
    this.#heads.set(bytes.toString("latin1", 0, headBytes), known);
  }
}

function beginsWith(bytes: Buffer, head: Buffer): boolean {
  const { byteLength } = head;
  return bytes.byteLength >= byteLength && bytes.compare(head, 0, byteLength, 0, byteLength) === 0;
}

function isPlain(head: RequestHead): boolean {
  return (
    head.version[0] === 1 &&
    head.keepsAlive &&
    head.get("transfer-encoding") === null &&
    head.get("upgrade") === null
  );
}
