import type { IncomingRequest } from "./incoming.ts";
import type { HttpReply } from "./message.ts";
import type { HttpOutput } from "./output.ts";
import { ReplyStream, type ReplyStreamEvents } from "./reply-stream.ts";

/**
 * Request that a connection is answering, and its response. A response is written as a whole, or streamed; a
 * streamed one stays current until its last byte is written.
 */
export class CurrentAnswer {
  readonly #output: HttpOutput;
  readonly #events: ReplyStreamEvents;
  #request: IncomingRequest | undefined;
  #sinceMs = 0;
  #stream: ReplyStream | undefined;
  /** The connection ends after the current response. */
  #isLast = false;

  /** @param events - events of streams; when one ends, the connection must call {@link end} */
  constructor(output: HttpOutput, events: ReplyStreamEvents) {
    this.#output = output;
    this.#events = events;
  }

  get request(): IncomingRequest | undefined {
    return this.#request;
  }

  /** Whether the head of a streamed response is written, but not yet its end. */
  get isStreaming(): boolean {
    return this.#stream !== undefined;
  }

  is(request: IncomingRequest): boolean {
    return request === this.#request;
  }

  begin(request: IncomingRequest, nowMs: number): void {
    this.#request = request;
    this.#sinceMs = nowMs;
  }

  /**
   * Writes the response to the current request; a streamed one stays current until its end.
   *
   * @param isEnding - no later request is answered, whatever the client wants
   * @returns whether the connection ends after the response
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

  drained(): void {
    this.#stream?.pull();
  }

  makeLast(): void {
    this.#isLast = true;
  }

  /** Completes the response. @returns whether the connection must end after it */
  end(): boolean {
    this.#request = undefined;
    this.#stream = undefined;
    return this.#isLast;
  }

  closeStream(): void {
    this.#stream?.close();
  }

  /** Discards the request and its response: the client has disconnected. */
  abandon(): void {
    this.closeStream();
    this.#request?.discard();
    this.end();
  }

  /** Milliseconds spent waiting for the response, or for the next chunk of a stream. */
  waitedMs(nowMs: number): number {
    return nowMs - (this.#stream?.requestedMs ?? this.#sinceMs);
  }

  /** See {@link ReplyStream.isSlow}. */
  isSlow(nowMs: number, graceMs: number): boolean {
    return this.#stream?.isSlow(nowMs, graceMs) ?? false;
  }
}
