import type { RequestHead } from "./request-head.ts";

/** Most heads that are kept: the clients of a node have few. */
export const MAX_KNOWN_HEADS = 128;

/** A longer head is read anew each time. */
const MAX_HEAD_BYTES = 2_048;

const END = Buffer.from("\r\n\r\n");

/** A head that the parser has read before. */
export interface KnownHead {
  readonly head: RequestHead;
  /** Its bytes, with the empty line. */
  readonly bytes: Buffer;
  /** What the parser said of it, where there is no body: see `LlhttpProgress.untoldBytes`. */
  readonly untoldBytes: number;
}

/**
 * Heads that the parser has read before, by their bytes. Between two requests a parser is always in the
 * same state: of the same bytes it says the same again. Clients send the same head with each request
 * over a connection, and reading it takes longer than most answers.
 *
 * Known are only heads whose body has an announced length, or none, and behind which another request may
 * follow: where such a request ends, and how the parser is then, is known, too.
 */
export class KnownHeads {
  readonly #maxHeads: number;
  readonly #heads = new Map<string, KnownHead>();

  /** @param maxHeads - 0 keeps none */
  constructor(maxHeads: number) {
    this.#maxHeads = maxHeads;
  }

  /** How many are kept. */
  get size(): number {
    return this.#heads.size;
  }

  /**
   * The known head that the bytes begin with.
   *
   * @param before - the last one of the connection: it is most often the same again
   */
  find(bytes: Buffer, before: KnownHead | undefined): KnownHead | undefined {
    if (before !== undefined && beginsWith(bytes, before.bytes)) return before;
    if (this.#heads.size === 0) return undefined;
    const end = bytes.indexOf(END);
    if (end === -1 || end > MAX_HEAD_BYTES) return undefined;
    return this.#heads.get(bytes.toString("latin1", 0, end + END.byteLength));
  }

  /**
   * Keeps a head.
   *
   * @param bytes - that the parser has read between two requests: the head, and as much of its body as
   *   `bodyBytes` says
   * @param untoldBytes - as the parser said then
   */
  learn(head: RequestHead, bytes: Buffer, bodyBytes: number, untoldBytes: number): void {
    const headBytes = bytes.byteLength - bodyBytes;
    if (headBytes > MAX_HEAD_BYTES || !isPlain(head)) return;
    if (bytes.indexOf(END) + END.byteLength !== headBytes) return;
    if (this.#maxHeads === 0) return;
    // Whoever floods it with heads makes others' be read once more.
    if (this.#heads.size >= this.#maxHeads) this.#heads.clear();
    const hasBody = (head.announcedBytes ?? 0) > 0;
    const copy = Buffer.from(bytes.subarray(0, headBytes));
    const known = { head, bytes: copy, untoldBytes: hasBody ? 0 : untoldBytes };
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
