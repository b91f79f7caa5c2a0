import { type Endpoint, pause, postJson, retryAfterMs } from "#io/http/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { L1Limits } from "../limits.ts";
import { readAnswer } from "./answer.ts";
import { EndpointFault, nonsense } from "./fault.ts";
import { isThrottling } from "./refusal.ts";

/** Settings of {@link RpcChannel}. */
export interface RpcChannelOptions {
  readonly address: Endpoint;
  readonly limits: L1Limits;
  readonly timer: Timer;
  /** Aborts requests in flight. */
  readonly signal: AbortSignal;
}

/** Maximum length of an endpoint's text that is shown. */
const MAX_SHOWN = 200;

/** Maximum number of throttling delays per request. */
const MAX_WAITS = 3;

/** First delay if a throttling endpoint states none, in milliseconds; doubled each time. */
const FIRST_WAIT_MS = 500;

/** JSON-RPC channel to one L1 endpoint, with limits of time, size and concurrency. */
export class RpcChannel {
  readonly #options: RpcChannelOptions;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor(options: RpcChannelOptions) {
    this.#options = options;
  }

  /** Endpoint name without anything that may be a key. */
  get name(): string {
    return this.#options.address.name;
  }

  /**
   * Calls a method and returns its raw `result`.
   *
   * @throws {EndpointFault} when there is no result
   */
  async call(method: string, params: readonly unknown[], maxAnswerBytes: number): Promise<unknown> {
    const { limits, signal, timer } = this.#options;
    for (let wait = 0; ; wait++) {
      try {
        return await this.#inTurn(() => this.#ask(method, params, maxAnswerBytes));
      } catch (cause) {
        const isThrottled = cause instanceof EndpointFault && cause.kind === "throttled";
        if (!isThrottled || wait >= MAX_WAITS) throw cause;
        const waitMs = cause.retryAfterMs ?? FIRST_WAIT_MS * 2 ** wait;
        if (waitMs > limits.maxThrottleMs) throw cause;
        await pause(timer, signal, waitMs);
      }
    }
  }

  async #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= this.#options.limits.maxInFlight) {
      await new Promise<void>((letIn) => this.#waiting.push(letIn));
    } else this.#inFlight++;
    try {
      return await ask();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inFlight--;
      else next();
    }
  }

  async #ask(method: string, params: readonly unknown[], maxAnswerBytes: number): Promise<unknown> {
    const { status, headers, bytes } = await this.#post(method, params, maxAnswerBytes);
    const waitMs = retryAfterMs(headers.get("retry-after"), Date.now());
    if (status === 429 || (status === 503 && waitMs !== undefined)) {
      throw new EndpointFault("throttled", `${this.name} answers with status ${status}`, waitMs);
    }
    if (status === 413) throw this.#tooLong(method, maxAnswerBytes);
    const answer = await readAnswer(bytes);
    if (answer?.kind === "error") {
      const { code, message } = answer;
      const said = `${this.name} refuses ${method}${code === undefined ? "" : ` (${code})`}: ${this.#shown(message)}`;
      const kind = isThrottling(code, message) ? "throttled" : "refused";
      throw new EndpointFault(kind, said, kind === "throttled" ? waitMs : undefined);
    }
    if (status !== 200) {
      throw new EndpointFault(
        "unreachable",
        `${this.name} answers ${method} with status ${status}`,
      );
    }
    if (answer === undefined)
      throw nonsense(`${this.name} does not answer ${method} with JSON-RPC`);
    return answer.result;
  }

  async #post(method: string, params: readonly unknown[], maxAnswerBytes: number) {
    const { address, limits, signal } = this.#options;
    const answer = await postJson({
      endpoint: address,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      maxAnswerBytes,
      timeoutMs: limits.answerMs,
      signal,
    });
    switch (answer.kind) {
      case "answered":
        return answer;
      case "elsewhere":
        throw nonsense(`${this.name} redirects (status ${answer.status})`);
      case "garbled":
        throw nonsense(`${this.name} responds to ${method} in an encoding that was not requested`);
      case "tooLong":
        throw this.#tooLong(method, maxAnswerBytes);
      case "stopped":
        throw new EndpointFault("stopped", "the L1 client was stopped");
      case "unreachable":
        throw new EndpointFault("unreachable", `cannot reach ${this.name}`);
      case "timedOut": {
        const message = `${this.name} did not answer ${method} in ${limits.answerMs} ms`;
        throw new EndpointFault("timeout", message);
      }
    }
  }

  #tooLong(method: string, maxAnswerBytes: number): EndpointFault {
    const message = `the response of ${this.name} to ${method} is longer than ${maxAnswerBytes} bytes`;
    return new EndpointFault("too_long", message);
  }

  #shown(text: string): string {
    const line = this.#options.address.masked(text).replaceAll(/\p{Cc}+/gu, " ");
    return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}...` : line;
  }
}
