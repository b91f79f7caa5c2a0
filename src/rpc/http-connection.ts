import type { IncomingMessage, ServerResponse } from "node:http";
import { errorReply, type HttpHandler, type HttpReply, type HttpRequest } from "./http-message.ts";
import { invalidRequest } from "./json-rpc.ts";

/** Most requests of one connection that wait behind the one that is answered. */
export const MAX_PIPELINED = 1_000;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly expectation: Expectation;
  /** Stands for the answer: the request is refused in its turn, and the connection ends. */
  readonly refusal: HttpReply | undefined;
}

/** What the `Expect` header of a request asks for (RFC 9110, section 10.1.1). */
export type Expectation = "none" | "continue" | "unknown";

/**
 * The requests of one connection: answered in their order, one after the other (RFC 9112, section
 * 9.3.2). A request that can not be answered any more is not executed.
 */
export class HttpConnection {
  readonly #handler: HttpHandler;
  readonly #isStopping: () => boolean;
  readonly #waiting: Exchange[] = [];
  /** The request that is being answered. */
  #current: IncomingRequest | undefined;
  /** A response said so: whatever comes behind it is not executed. */
  #isClosing = false;
  #atEnd: (() => void) | undefined;

  /** @param isStopping - each response is then the last one of its connection */
  constructor(handler: HttpHandler, isStopping: () => boolean) {
    this.#handler = handler;
    this.#isStopping = isStopping;
  }

  /** Takes the next request of the connection. */
  take(
    request: IncomingMessage,
    response: ServerResponse,
    expectation: Expectation = "none",
  ): void {
    if (this.#isClosing) return;
    const refusal =
      this.#waiting.length >= MAX_PIPELINED ? TOO_MANY : refusalOf(request, expectation);
    if (refusal !== undefined) this.#isClosing = true;
    this.#waiting.push({ request, response, expectation, refusal });
    if (this.#current === undefined) void this.#run();
  }

  /**
   * Takes nothing more, and calls `done` once what has arrived as a whole is answered: at once when
   * that is nothing, or when the body that is being read will never end.
   */
  end(done: () => void): void {
    this.#isClosing = true;
    if (this.#current === undefined || this.#current.isArriving) done();
    else this.#atEnd = done;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { request, response, expectation, refusal } = next;
      if (request.socket.destroyed) break;
      const incoming = new IncomingRequest(request, () => {
        if (expectation === "continue") response.writeContinue();
      });
      this.#current = incoming;
      const reply = refusal ?? (await this.#handler(incoming));
      if (request.socket.destroyed) break;
      const isLast = reply.headers["connection"] === "close" || this.#isStopping();
      if (isLast) this.#isClosing = true;
      const isWritten = write(response, reply, isLast ? CLOSE : {});
      // The parser has read ahead of a body that nobody wanted: without this it would stay there.
      if (!request.readableEnded) request.resume();
      if (isLast) break;
      if (!isWritten) await drained(response);
    }
    this.#current = undefined;
    this.#waiting.length = 0;
    this.#atEnd?.();
  }
}

const CLOSE = { connection: "close" } as const;

const TOO_MANY = errorReply(
  invalidRequest(`more than ${MAX_PIPELINED} requests are waiting on this connection`),
  429,
  CLOSE,
);

const NO_HOST = errorReply(invalidRequest("the Host header is missing"), 400, CLOSE);
const UNKNOWN_EXPECTATION = errorReply(invalidRequest("expect: expected 100-continue"), 417, CLOSE);

/** What the runtime would refuse at once, before the answers to earlier requests. */
function refusalOf(request: IncomingMessage, expectation: Expectation): HttpReply | undefined {
  if (expectation === "unknown") return UNKNOWN_EXPECTATION;
  // RFC 9112, section 3.2: every HTTP/1.1 request names its host.
  return request.httpVersion === "1.1" && request.headers.host === undefined ? NO_HOST : undefined;
}

/** An {@link HttpRequest} that reads its body when it is asked to. */
class IncomingRequest implements HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly #message: IncomingMessage;
  readonly #beforeBody: () => void;
  #isReading = false;

  constructor(message: IncomingMessage, beforeBody: () => void) {
    this.#message = message;
    this.#beforeBody = beforeBody;
    this.method = message.method ?? "";
    this.url = message.url ?? "/";
  }

  /** Whether a part of the body has still to come. */
  get isArriving(): boolean {
    return this.#isReading && !this.#message.complete;
  }

  get headers(): HttpRequest["headers"] {
    const { headers } = this.#message;
    return {
      get(name) {
        const value = headers[name];
        return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
      },
    };
  }

  readBody(maxBytes: number): Promise<Uint8Array | undefined> {
    const message = this.#message;
    const declared = message.headers["content-length"];
    if (declared !== undefined && Number(declared) > maxBytes) return Promise.resolve(undefined);
    this.#isReading = true;
    this.#beforeBody();
    return new Promise((resolve) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      message.on("data", (chunk: Uint8Array) => {
        size += chunk.byteLength;
        if (size > maxBytes) {
          chunks.length = 0;
          resolve(undefined);
        } else chunks.push(chunk);
      });
      const settle = (): void => {
        const [only] = chunks;
        resolve(chunks.length === 1 ? only : Buffer.concat(chunks));
      };
      message.on("end", settle);
      // A body that breaks off belongs to a connection that is gone: nothing is executed for it.
      message.on("error", () => undefined);
      message.on("close", () => resolve(undefined));
    });
  }
}

/** @returns whether the response has left this process's buffers */
function write(
  response: ServerResponse,
  { status, headers, body }: HttpReply,
  more: Readonly<Record<string, string>>,
): boolean {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  // RFC 9110, section 8.6: a 204 has no length.
  const length = status === 204 ? {} : { "content-length": String(bytes?.byteLength ?? 0) };
  response.writeHead(status, { ...headers, ...length, ...more });
  if (bytes === null) response.end();
  else response.end(bytes);
  return response.writableFinished || bytes === null || bytes.byteLength < 65_536;
}

function drained(response: ServerResponse): Promise<void> {
  if (response.writableFinished || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once("finish", () => resolve());
    response.once("close", () => resolve());
  });
}
