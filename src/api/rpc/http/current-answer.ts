import type { IncomingRequest } from "./incoming.ts";
import type { HttpReply } from "./message.ts";
import type { HttpOutput } from "./output.ts";
import { ReplyStream, type ReplyStreamEvents } from "./reply-stream.ts";

/**
 * The request that a connection is answering, and its answer: written as a whole, or a stream that makes it the
 * current one until its last byte is written.
 */
export class CurrentAnswer {
  readonly #output: HttpOutput;
  readonly #events: ReplyStreamEvents;
  #request: IncomingRequest | undefined;
  #sinceMs = 0;
  #stream: ReplyStream | undefined;
  /** The connection ends behind the current answer. */
  #isLast = false;

  /** @param events - of streams; at the end of one the connection is to call {@link end} */
  constructor(output: HttpOutput, events: ReplyStreamEvents) {
    this.#output = output;
    this.#events = events;
  }

  /** `undefined` while nothing is being answered. */
  get request(): IncomingRequest | undefined {
    return this.#request;
  }

  /** Whether the head of a streamed answer is written, and its end is not. */
  get isStreaming(): boolean {
    return this.#stream !== undefined;
  }

  /** Whether that request is being answered. */
  is(request: IncomingRequest): boolean {
    return request === this.#request;
  }

  begin(request: IncomingRequest, nowMs: number): void {
    this.#request = request;
    this.#sinceMs = nowMs;
  }

  /**
   * Writes the answer to the current request; a streamed one is current until its end.
   *
   * @param isEnding - no request behind it is answered, whatever the client wants
   * @returns whether the connection ends behind the answer
   */
  write(request: IncomingRequest, reply: HttpReply, isEnding: boolean): boolean {
    const { stream } = reply;
    const isHead = request.method === "HEAD";
    // HTTP/1.0 has no chunks: the end of the connection ends the body.
    const isUnframed = stream !== undefined && request.isOld && !isHead;
    const isRefusal = reply.headers["connection"] === "close";
    const isLast = isEnding || isRefusal || isUnframed || !request.keepsAlive;
    const connection = isLast ? "close" : request.isOld ? "keep-alive" : undefined;
    if (stream === undefined) this.#output.writeReply(reply, connection, isHead);
    else this.#output.writeStreamHead(reply, connection, !request.isOld);
    request.discard();
    if (stream === undefined || isHead) {
      stream?.close();
      this.end();
    } else {
      const options = {
        isChunked: !request.isOld,
        nextTurn: (resume: () => void) => void setImmediate(resume),
      };
      this.#stream = new ReplyStream(stream, this.#output, this.#events, options);
      this.#stream.pull();
    }
    return isLast;
  }

  /** The socket takes more. */
  drained(): void {
    this.#stream?.pull();
  }

  /** The connection is to end behind the stream. */
  makeLast(): void {
    this.#isLast = true;
  }

  /** The answer is complete. @returns whether the connection is to end behind it */
  end(): boolean {
    this.#request = undefined;
    this.#stream = undefined;
    return this.#isLast;
  }

  /** Nobody reads the rest of a stream. */
  closeStream(): void {
    this.#stream?.close();
  }

  /** The client has left. */
  abandon(): void {
    this.closeStream();
    this.#request?.discard();
    this.end();
  }

  /** Milliseconds that the answer, or the next piece of a stream, has been waited for. */
  waitedMs(nowMs: number): number {
    return nowMs - (this.#stream?.askedMs ?? this.#sinceMs);
  }

  /** As {@link ReplyStream.isSlow}. */
  isSlow(nowMs: number, graceMs: number): boolean {
    return this.#stream?.isSlow(nowMs, graceMs) ?? false;
  }
}
