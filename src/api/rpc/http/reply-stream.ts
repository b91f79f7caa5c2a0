import type { AnswerStream } from "../answer-stream.ts";
import type { HttpOutput } from "./output.ts";
import { RunningClock } from "./running-clock.ts";
import { SLOW_BYTES_PER_SECOND } from "./unsent-budget.ts";

/** Marks the end of a chunked body (RFC 9112, section 7.1); there are no trailers. */
const LAST_CHUNK = "0\r\n\r\n";

/** Receives the progress of a {@link ReplyStream}. */
export interface ReplyStreamEvents {
  wrote(): void;
  ended(): void;
  /** The body stays incomplete, and its client has to notice. */
  failed(): void;
}

/** Framing and scheduling options of a {@link ReplyStream}. */
export interface ReplyStreamOptions {
  /** Uses the chunked transfer coding; without it the end of the connection ends the body. */
  readonly isChunked: boolean;
  /** Calls back in the next turn of the event loop, after other connections were served. */
  readonly nextTurn: (resume: () => void) => void;
}

/**
 * Writes a streamed body to a connection. Pulls one chunk at a time, and none before the client has taken the
 * previous one. Each chunk gets its own turn of the event loop: a source that is always ready and a fast
 * client would otherwise block all other work.
 */
export class ReplyStream {
  readonly #source: AnswerStream;
  readonly #output: HttpOutput;
  readonly #events: ReplyStreamEvents;
  readonly #options: ReplyStreamOptions;
  /** Runs while the client blocks the source. */
  readonly #blocked = new RunningClock();
  #writtenBytes = 0;
  #requestedMs = performance.now();
  #isPulling = false;
  /** Complete, failed or closed. */
  #isOver = false;

  constructor(
    source: AnswerStream,
    output: HttpOutput,
    events: ReplyStreamEvents,
    options: ReplyStreamOptions,
  ) {
    this.#source = source;
    this.#output = output;
    this.#events = events;
    this.#options = options;
  }

  /** Time of the latest request to the source for a chunk. */
  get requestedMs(): number {
    return this.#requestedMs;
  }

  /** Requests the next chunk if the client has room for it. Must be called when the socket accepts more. */
  pull(): void {
    if (this.#isOver || this.#isPulling) return;
    const nowMs = performance.now();
    if (this.#output.isBlocked) return this.#blocked.run(nowMs);
    this.#blocked.stop(nowMs);
    this.#requestedMs = nowMs;
    this.#isPulling = true;
    void this.#forward();
  }

  /** Stops pulling and closes the source, unless the stream is over. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source.close();
  }

  /**
   * Whether the client has blocked the source for more than `graceMs` and took less than 16 KiB per second in
   * that time. The rule for unsent bytes sees only single lags, and a lag ends with each short chunk.
   */
  isSlow(nowMs: number, graceMs: number): boolean {
    const waitedMs = this.#blocked.elapsedMs(nowMs);
    const takenBytes = this.#writtenBytes - this.#output.unsentBytes;
    return waitedMs > graceMs && takenBytes * 1_000 < waitedMs * SLOW_BYTES_PER_SECOND;
  }

  async #forward(): Promise<void> {
    let piece: Uint8Array | undefined;
    try {
      piece = await this.#source.next();
    } catch {
      return this.#end(() => this.#events.failed());
    }
    if (this.#isOver) return;
    if (piece === undefined) {
      if (this.#options.isChunked) this.#output.writeAscii(LAST_CHUNK);
      return this.#end(() => this.#events.ended());
    }
    this.#write(piece);
    this.#isPulling = false;
    this.#events.wrote();
    this.#options.nextTurn(() => this.pull());
  }

  #end(report: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    report();
  }

  #write(piece: Uint8Array): void {
    const { byteLength } = piece;
    // An empty chunk would end the body.
    if (byteLength === 0) return;
    this.#writtenBytes += byteLength;
    const { isChunked } = this.#options;
    if (isChunked) this.#output.writeAscii(`${byteLength.toString(16)}\r\n`);
    this.#output.writeBytes(piece);
    if (isChunked) this.#output.writeAscii("\r\n");
  }
}
