import { BootstrapError } from "#base/errors/index.ts";
import { type Endpoint, endpointOf, pause, postJson } from "#io/http/index.ts";
import type { Waiting } from "./wait.ts";

/** Options of {@link RpcNode}. */
export interface RpcNodeOptions extends Waiting {
  /** May contain credentials or a key, and is therefore never shown. */
  readonly url: string;
  /** Name used in messages: the variable that holds the address. */
  readonly name: string;
}

/** A JSON-RPC error response of a node. */
export class RpcFault extends BootstrapError {
  readonly rpcCode: number;

  /** @param said - message and data of the error, with possible keys from the node's address removed */
  constructor(name: string, method: string, rpcCode: number, said: readonly string[]) {
    const [message = "", data] = said.map(shown);
    const more = data === undefined ? "" : ` (${data})`;
    super("BOOTSTRAP_REFUSED", `${name} refuses ${method}: ${message}${more}`, {
      meta: { rpcCode },
    });
    this.rpcCode = rpcCode;
  }
}

/** JSON-RPC error code: the node does not support the method. */
export const METHOD_NOT_FOUND = -32_601;

/** Maximum response size, bytes: a class takes some hundred kilobytes. */
const MAX_ANSWER_BYTES = 8 << 20;

/** Deadline for one request, milliseconds. */
const ANSWER_MS = 20_000;

/** Transient statuses: too many requests, and gateway errors of a busy node. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Maximum retries of one request, and the first delay in milliseconds, which doubles each time. */
const RETRIES = 5;
const FIRST_PAUSE_MS = 250;

/** Maximum length of a node's text that is shown. */
const MAX_SHOWN = 300;

/** Used for an error without a code. */
const NO_CODE = -32_603;

/** Sends requests to one node, bounded in time and size. */
export class RpcNode {
  readonly #options: RpcNodeOptions;
  readonly #endpoint: Endpoint;

  constructor(options: RpcNodeOptions) {
    this.#options = options;
    this.#endpoint = endpointOf(options.url, []);
  }

  /** Name used in messages. */
  get name(): string {
    return this.#options.name;
  }

  /**
   * Returns the unvalidated result of a method.
   *
   * @throws {RpcFault} when the node returns an error
   * @throws {BootstrapError} BOOTSTRAP_UNREACHABLE without a response, BOOTSTRAP_NONSENSE when it is
   * malformed
   */
  async call(method: string, params: unknown): Promise<unknown> {
    const text = await this.#text(
      method,
      JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    );
    const { result, error } = this.#document(text, method);
    if (typeof error === "object" && error !== null) {
      const { code, message, data } = error as Readonly<Record<string, unknown>>;
      const said = typeof message === "string" ? message : "an error without a message";
      const texts = data === undefined ? [said] : [said, JSON.stringify(data)];
      const rpcCode = typeof code === "number" ? code : NO_CODE;
      throw new RpcFault(this.name, method, rpcCode, texts.map(this.#endpoint.masked));
    }
    if (result === undefined) throw this.nonsense(`does not answer ${method} with JSON-RPC`);
    return result;
  }

  /** Sends a request and returns the response text; retries while the node is busy. */
  async #text(method: string, body: string): Promise<string> {
    const { timer, signal } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#post(method, body);
      if (!PASSING_STATUSES.has(answer.status)) return new TextDecoder().decode(answer.bytes);
      if (attempt >= RETRIES) throw this.nonsense(`answers ${method} with status ${answer.status}`);
      await pause(timer, signal, FIRST_PAUSE_MS * 2 ** attempt);
    }
  }

  async #post(what: string, body: string) {
    const answer = await postJson({
      endpoint: this.#endpoint,
      body,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      timeoutMs: ANSWER_MS,
      signal: this.#options.signal,
    });
    switch (answer.kind) {
      case "answered":
        return answer;
      case "elsewhere":
        throw this.nonsense(`leads elsewhere (status ${answer.status})`);
      case "tooLong":
        throw this.nonsense(`answers ${what} with more than ${MAX_ANSWER_BYTES} bytes`);
      case "garbled":
        throw this.nonsense(`answers ${what} in an encoding that was not asked for`);
      case "stopped":
        throw new BootstrapError("BOOTSTRAP_STOPPED", "stopped on request");
      case "timedOut":
        throw this.#silent(`did not answer ${what} in ${ANSWER_MS} ms`);
      case "unreachable":
        throw this.#silent("does not answer");
    }
  }

  #silent(why: string): BootstrapError {
    const message = `the node of ${this.name} ${why}: is it running there?`;
    return new BootstrapError("BOOTSTRAP_UNREACHABLE", message);
  }

  /** Creates the error of a malformed response. */
  nonsense(what: string): BootstrapError {
    return new BootstrapError("BOOTSTRAP_NONSENSE", `the node of ${this.name} ${what}`);
  }

  #document(text: string, method: string): Readonly<Record<string, unknown>> {
    try {
      const document: unknown = JSON.parse(text);
      if (typeof document === "object" && document !== null) return { ...document };
    } catch (cause) {
      // Malformed, or nested more deeply than the stack allows.
      if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause;
    }
    throw this.nonsense(`does not answer ${method} with JSON-RPC`);
  }
}

/** Shortens an untrusted text, on one line. */
export function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}...` : line;
}
