import { type BodyPieces, byteLength } from "../batch.ts";
import type { HttpReply } from "./message.ts";
import { REASON_PHRASES } from "./reason-phrases.ts";
import type { HttpSocket } from "./socket.ts";
import type { Releasable, WriteTurn } from "./turn-writes.ts";
import type { UnsentShare } from "./unsent-budget.ts";

export type { HttpSocket } from "./socket.ts";

/**
 * Ordered output of a connection. Short responses are held until their turn flushes them ({@link release}),
 * and then leave in one write.
 */
export class HttpOutput implements Releasable {
  readonly #socket: HttpSocket;
  readonly #share: UnsentShare;
  readonly #turn: WriteTurn;
  /** Held until the end of the turn. */
  #held: (string | Uint8Array)[] = [];
  #heldBytes = 0;
  #unsent: Uint8Array[] = [];
  #isForgotten = false;

  /** @param share - counts the bytes that the socket has not accepted */
  constructor(socket: HttpSocket, share: UnsentShare, turn: WriteTurn) {
    this.#socket = socket;
    this.#share = share;
    this.#turn = turn;
  }

  /** Whether the socket refuses bytes; held ones do not count. */
  get isBlocked(): boolean {
    return this.#unsent.length > 0;
  }

  get unsentBytes(): number {
    return sizeOf(this.#unsent);
  }

  /** @param text - ASCII only */
  writeAscii(text: string): void {
    this.#write(text, text.length);
  }

  /** @param bytes - must not change after the call */
  writeBytes(bytes: Uint8Array): void {
    this.#write(bytes, bytes.byteLength);
  }

  /**
   * Writes the head of a reply immediately; its body follows in chunks.
   *
   * @param connection - value of the `Connection` header; `undefined` omits it
   * @param isChunked - `false`: the end of the connection ends the body (RFC 9112, section 6.3)
   */
  writeStreamHead(reply: HttpReply, connection: string | undefined, isChunked: boolean): void {
    const { text, sizeBytes } = wholeHead(
      reply,
      connection,
      isChunked ? "transfer-encoding: chunked\r\n" : "",
    );
    this.#write(text, sizeBytes);
    this.release();
  }

  /**
   * @param connection - value of the `Connection` header; `undefined` omits it. With a value, the reply is
   *   flushed immediately, because it ends or changes the connection.
   * @param isHead - omits the body (RFC 9110, section 9.3.2)
   */
  writeReply(reply: HttpReply, connection: string | undefined, isHead: boolean): void {
    const { status, body } = reply;
    const bodyBytes = byteLength(body ?? undefined);
    // RFC 9110, section 8.6: neither a 101 nor a 204 has a length.
    const hasLength = status !== 101 && status !== 204;
    const framing = hasLength ? `content-length: ${bodyBytes}\r\n` : "";
    const { text: head, sizeBytes: headBytes } = wholeHead(reply, connection, framing);
    if (isHead || body === null) this.#write(head, headBytes);
    else if (typeof body === "string") this.#write(head + body, headBytes + bodyBytes);
    else {
      const pieces = body instanceof Uint8Array ? [body] : body;
      for (const piece of piecesToWrite([head, ...pieces])) this.#write(piece, byteLength(piece));
    }
    if (connection !== undefined) this.release();
  }

  /** Flushes held bytes. Must be called before the socket is closed or shut down. */
  release(): void {
    if (this.#heldBytes === 0) return;
    const [held, size] = [this.#held, this.#heldBytes];
    this.#held = [];
    this.#heldBytes = 0;
    const [first = ""] = held;
    this.#share.change(this.#send(held.length === 1 ? first : joined(held), size));
  }

  /**
   * Continues when the socket accepts more bytes.
   *
   * @returns whether it accepted any
   */
  flush(): boolean {
    this.release();
    const waiting = this.#unsent;
    const before = sizeOf(waiting);
    this.#unsent = [];
    for (const bytes of waiting) this.#send(bytes, bytes.byteLength);
    const change = sizeOf(this.#unsent) - before;
    this.#share.change(change);
    return change < 0;
  }

  /** Flushes held bytes, then closes both directions. */
  end(): void {
    this.release();
    this.#socket.end();
  }

  /** Flushes held bytes, then closes the writing side unless the socket is blocked. */
  shutdown(): void {
    this.release();
    if (!this.isBlocked) this.#socket.shutdown();
  }

  /** Discards pending bytes; sends nothing from now on. */
  forget(): void {
    this.#isForgotten = true;
    this.#held = [];
    this.#heldBytes = 0;
    this.#unsent = [];
    this.#share.release();
  }

  #write(bytes: string | Uint8Array, size: number): void {
    if (this.#isForgotten) return;
    if (this.isBlocked || size > JOINED_BYTES) {
      this.release();
      this.#share.change(this.#send(bytes, size));
      return;
    }
    this.#held.push(bytes);
    this.#heldBytes += size;
    if (this.#heldBytes > JOINED_BYTES) this.release();
    else this.#turn.add(this);
  }

  /** @returns how many of the bytes are still unsent */
  #send(bytes: string | Uint8Array, size: number): number {
    const written = this.isBlocked ? 0 : this.#socket.write(bytes);
    // A negative result means a closed connection, which is reported by its own event.
    if (written < 0 || written >= size) return 0;
    const whole = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    this.#unsent.push(whole.subarray(written));
    return size - written;
  }
}

/** @param framing - field that determines where the body ends */
function wholeHead(
  { status, headers }: HttpReply,
  connection: string | undefined,
  framing: string,
): Pick<ReplyHead, "text" | "sizeBytes"> {
  const first = headOf(status, headers);
  let rest = connection === undefined ? "" : `connection: ${connection}\r\n`;
  rest += `${framing}date: ${httpDate()}\r\n\r\n`;
  // The fields that the connection adds are ASCII.
  return { text: first.text + rest, sizeBytes: first.sizeBytes + rest.length };
}

/** Status line and headers of a reply, without the fields that the connection adds. */
interface ReplyHead {
  readonly headers: HttpReply["headers"];
  readonly text: string;
  readonly sizeBytes: number;
}

/** Last head of each status: most responses use the same headers object again. */
const heads = new Map<number, ReplyHead>();

function headOf(status: number, headers: HttpReply["headers"]): ReplyHead {
  const last = heads.get(status);
  if (last?.headers === headers) return last;
  let text = `HTTP/1.1 ${status} ${REASON_PHRASES[status] ?? ""}\r\n`;
  for (const name in headers) {
    if (name !== "connection") text += `${name}: ${headers[name]}\r\n`;
  }
  const head = { headers, text, sizeBytes: Buffer.byteLength(text) };
  heads.set(status, head);
  return head;
}

/** Longer bodies are written on their own, without a copy. Held bytes are flushed at this size. */
const JOINED_BYTES = 65_536;

/** Joins short chunks, so that each write is long or the last one; long chunks are not copied. */
function* piecesToWrite(pieces: BodyPieces): Generator<string | Uint8Array> {
  let short: (string | Uint8Array)[] = [];
  let shortBytes = 0;
  for (const piece of pieces) {
    const size = byteLength(piece);
    if (shortBytes + size > JOINED_BYTES && short.length > 0) {
      yield joined(short);
      [short, shortBytes] = [[], 0];
    }
    if (size > JOINED_BYTES) yield piece;
    else {
      short.push(piece);
      shortBytes += size;
    }
  }
  if (short.length > 0) yield joined(short);
}

function joined(parts: BodyPieces): string | Uint8Array {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

let dateSecond = 0;
let dateText = "";

/** Current time to the second (RFC 9110, section 6.6.1). */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1_000).toUTCString();
  }
  return dateText;
}
