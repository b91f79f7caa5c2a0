import type { IncomingRequest } from "./incoming.ts";
import type { HttpReply } from "./message.ts";
import type { HttpOutput } from "./output.ts";

/** The request that a connection is answering, and since when. */
export class CurrentAnswer {
  readonly #output: HttpOutput;
  #request: IncomingRequest | undefined;
  #sinceMs = 0;

  constructor(output: HttpOutput) {
    this.#output = output;
  }

  /** `undefined` while nothing is being answered. */
  get request(): IncomingRequest | undefined {
    return this.#request;
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
   * Writes the answer to the current request.
   *
   * @param isEnding - no request behind it is answered, whatever the client wants
   * @returns whether the connection ends behind the answer
   */
  write(request: IncomingRequest, reply: HttpReply, isEnding: boolean): boolean {
    const isRefusal = reply.headers["connection"] === "close";
    const isLast = isEnding || isRefusal || !request.keepsAlive;
    const connection = isLast ? "close" : request.isOld ? "keep-alive" : undefined;
    this.#output.writeReply(reply, connection, request.method === "HEAD");
    request.discard();
    this.end();
    return isLast;
  }

  /** The answer is complete. */
  end(): void {
    this.#request = undefined;
  }

  /** The client has left. */
  abandon(): void {
    this.#request?.discard();
    this.end();
  }

  /** Milliseconds that the answer has been waited for. */
  waitedMs(nowMs: number): number {
    return nowMs - this.#sinceMs;
  }
}
