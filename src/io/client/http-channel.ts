import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type Endpoint, endpointOf, pause, postJson } from "#io/http/index.ts";
import type { RpcChannel } from "./channel.ts";
import { RpcRefusal } from "./rpc-refusal.ts";

/** How a node is asked. */
export interface HttpChannelOptions {
  readonly url: string;
  /** For one attempt; milliseconds. */
  readonly timeoutMs: number;
  /** Attempts after the first; each waits twice as long as the one before, 250 ms at first. */
  readonly retries: number;
  /** Longest answer, bytes after decompression. */
  readonly maxAnswerBytes: number;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

const FIRST_PAUSE_MS = 250;

/** Deepest nesting of an answer: each call in a trace takes two levels. */
const MAX_DEPTH = 1024;

/**
 * Most values of an answer, and of them arrays, objects and members: a trace of a full block has some
 * millions. A short text can be of so many that no memory holds them.
 */
const MAX_ELEMENTS = 16 << 20;
const MAX_PARTS = 8 << 20;

/** Longest text of an error that is shown. */
const MAX_MESSAGE = 500;

/** Stands for the code of an error that has none: JSON-RPC's own for internal errors. */
const UNKNOWN_CODE = -32_603;

/** Statuses that may be others next time: too many requests, and what gateways say of a busy node. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * JSON-RPC over HTTP, without losing digits and with a bound on time and size. The channel of the
 * `starknet` package has neither: it rounds integers beyond 2^53, and reads an answer of any length.
 */
export function createHttpChannel(options: HttpChannelOptions): RpcChannel {
  const { timer, signal } = options;
  const endpoint = endpointOf(options.url, []);
  return {
    async call(method, params) {
      const body = stringifyJson({ jsonrpc: "2.0", id: 1, method, params });
      for (let attempt = 0; ; attempt++) {
        const outcome = await post(options, endpoint, method, body);
        if (outcome.kind === "answered") return resultOf(endpoint, method, outcome.text);
        if (attempt >= options.retries || options.signal.aborted) throw outcome.error;
        await pause(timer, signal, FIRST_PAUSE_MS * 2 ** attempt);
      }
    },
  };
}

type Outcome =
  | { readonly kind: "answered"; readonly text: string }
  | { readonly kind: "failed"; readonly error: NodeError };

async function post(
  { timeoutMs, maxAnswerBytes, signal }: HttpChannelOptions,
  endpoint: Endpoint,
  method: string,
  body: string,
): Promise<Outcome> {
  const { name } = endpoint;
  const answer = await postJson({ endpoint, body, maxAnswerBytes, timeoutMs, signal });
  switch (answer.kind) {
    case "elsewhere":
      throw bad(
        `${name} leads elsewhere (status ${answer.status}): give the address of the node itself`,
      );
    case "tooLong":
      throw bad(`the answer of ${name} to ${method} is longer than ${maxAnswerBytes} bytes`);
    case "garbled":
      throw bad(`the answer of ${name} to ${method} is not in an encoding that was asked for`);
    case "stopped":
      throw new NodeError("NODE_STOPPED", "it was told to stop", { cause: answer.cause });
    case "timedOut":
      return failed(`${name} did not answer ${method} in ${timeoutMs} ms`, answer.cause);
    case "unreachable":
      return failed(`cannot reach ${name}: is a node running there?`, answer.cause);
    case "answered":
      if (PASSING_STATUSES.has(answer.status)) {
        return failed(`${name} answered ${method} with status ${answer.status}`);
      }
      return { kind: "answered", text: new TextDecoder().decode(answer.bytes) };
  }
}

function bad(message: string): NodeError {
  return new NodeError("NODE_BAD_ANSWER", message);
}

function failed(message: string, cause?: unknown): Outcome {
  return { kind: "failed", error: new NodeError("NODE_UNREACHABLE", message, { cause }) };
}

function resultOf({ name, masked }: Endpoint, method: string, text: string): JsonValue {
  let answer: JsonValue;
  try {
    answer = parseJson(text, {
      maxDepth: MAX_DEPTH,
      maxElements: MAX_ELEMENTS,
      maxParts: MAX_PARTS,
    });
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    const isOver = cause.meta["limit"] !== undefined;
    const message = isOver
      ? `the answer of ${name} to ${method} is over a limit: ${cause.message}`
      : `${name} did not answer ${method} with JSON`;
    throw new NodeError("NODE_BAD_ANSWER", message, { cause });
  }
  if (isJsonObject(answer)) {
    const { error, result } = answer;
    if (isJsonObject(error)) throw refusalOf(method, error, masked);
    if (result !== undefined) return result;
  }
  throw new NodeError("NODE_BAD_ANSWER", `${name} did not answer ${method} with JSON-RPC`);
}

function refusalOf(
  method: string,
  error: Readonly<Record<string, unknown>>,
  masked: Endpoint["masked"],
): RpcRefusal {
  const { code, message, data } = error;
  const said = typeof message === "string" ? message : "an error without a message";
  const more = data === undefined ? "" : ` (${stringifyJson(data as JsonValue)})`;
  const rpcCode = Number.isSafeInteger(code) ? (code as number) : UNKNOWN_CODE;
  return new RpcRefusal(method, rpcCode, cut(masked(said + more)));
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}...` : text;
}
