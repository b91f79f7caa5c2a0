import { BootstrapError } from "#base/errors/index.ts";
import { type Endpoint, endpointOf, pause, postJson } from "#io/http/index.ts";
import type { Waiting } from "./wait.ts";

/** A node that is asked by JSON-RPC. */
export interface RpcNodeOptions extends Waiting {
  /** May hold credentials or a key, so that it is in no text. */
  readonly url: string;
  /** What messages call it: the name of the variable that holds its address. */
  readonly name: string;
}

/** A node answered with an error of JSON-RPC. */
export class RpcFault extends BootstrapError {
  readonly rpcCode: number;

  /** @param said - message and data of the error, without what of the node's address may be a key */
  constructor(name: string, method: string, rpcCode: number, said: readonly string[]) {
    const [message = "", data] = said.map(shown);
    const more = data === undefined ? "" : ` (${data})`;
    super("BOOTSTRAP_REFUSED", `${name} refuses ${method}: ${message}${more}`, {
      meta: { rpcCode },
    });
    this.rpcCode = rpcCode;
  }
}

/** Code of JSON-RPC: the node knows no such method. */
export const METHOD_NOT_FOUND = -32_601;

/** Longest answer, bytes: a class is some hundred kilobytes. */
const MAX_ANSWER_BYTES = 8 << 20;

/** For one question, milliseconds. */
const ANSWER_MS = 20_000;

/** Statuses that may be others next time: too many requests, and what gateways say of a busy node. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** How often one question is asked again, and after how long at first, milliseconds; twice as long each time. */
const RETRIES = 5;
const FIRST_PAUSE_MS = 250;

/** Longest text of a node that is shown. */
const MAX_SHOWN = 300;

/** Stands for the code of an error that has none. */
const NO_CODE = -32_603;

/** Asks one node, within bounds of time and size. */
export class RpcNode {
  readonly #options: RpcNodeOptions;
  readonly #endpoint: Endpoint;

  constructor(options: RpcNodeOptions) {
    this.#options = options;
    this.#endpoint = endpointOf(options.url, []);
  }

  /** What messages call it. */
  get name(): string {
    return this.#options.name;
  }

  /**
   * The result of a method, as it came.
   *
   * @throws {RpcFault} when the node says no
   * @throws {BootstrapError} BOOTSTRAP_UNREACHABLE when nobody answers, BOOTSTRAP_NONSENSE when it is no answer
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

  /** The text of an answer, asked for again as long as the node is busy. */
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
        throw new BootstrapError("BOOTSTRAP_STOPPED", "it was told to stop");
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

  /** A failure: the node's answer is not what it must be. */
  nonsense(what: string): BootstrapError {
    return new BootstrapError("BOOTSTRAP_NONSENSE", `the node of ${this.name} ${what}`);
  }

  #document(text: string, method: string): Readonly<Record<string, unknown>> {
    try {
      const document: unknown = JSON.parse(text);
      if (typeof document === "object" && document !== null) return { ...document };
    } catch (cause) {
      // Unparsable, or nested more deeply than the stack.
      if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause;
    }
    throw this.nonsense(`does not answer ${method} with JSON-RPC`);
  }
}

/** A text of a stranger, cut short and in one line. */
export function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}...` : line;
}
