import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type Endpoint, endpointOf, pause, postJson } from "#io/http/index.ts";
import type { RpcChannel } from "./channel.ts";
import { badAnswer, errorWithoutAnswer, refusalOf, requireLasting } from "./rpc-error.ts";
import { STREAM_LIMITS, type StreamLimits, streamAnswer } from "./stream-answer.ts";

/** Settings of {@link createHttpChannel}. */
export interface HttpChannelOptions {
  readonly url: string;
  /**
   * Timeout of one attempt in milliseconds. For a streamed response: timeout of its head, and of each wait
   * for more of it.
   */
  readonly timeoutMs: number;
  /** Attempts after the first. The first pause is 250 ms; each further one is twice as long. */
  readonly retries: number;
  /** Maximum size of a buffered response, in bytes after decompression. */
  readonly maxAnswerBytes: number;
  /** Limits of streamed responses; default {@link STREAM_LIMITS}. */
  readonly streamLimits?: StreamLimits;
  /** Aborts requests in flight. */
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

const FIRST_PAUSE_MS = 250;

/** Maximum nesting of a response: each call in a trace takes two levels. */
const MAX_DEPTH = 1024;

/**
 * Maximum number of values in a response, and of its arrays, objects and members. A short text can contain
 * more than fit in memory.
 */
const MAX_ELEMENTS = 16 << 20;
const MAX_PARTS = 8 << 20;

/**
 * Creates a channel for JSON-RPC over HTTP that keeps all digits and bounds time and size. The channel of the
 * `starknet` package does neither: it rounds integers beyond 2^53, and reads responses of any length.
 */
export function createHttpChannel(options: HttpChannelOptions): RpcChannel {
  const endpoint = endpointOf(options.url, []);
  const { streamLimits = STREAM_LIMITS } = options;
  return {
    async call(method, params) {
      const body = bodyOf(method, params);
      const text = await repeated(options, () => answerText(options, endpoint, method, body));
      return resultOf(endpoint, method, text);
    },
    stream(method, params, decoder) {
      const body = bodyOf(method, params);
      const question = { ...options, streamLimits, endpoint, method, body };
      return repeated(options, () => streamAnswer(question, decoder()));
    },
  };
}

function bodyOf(method: string, params: Readonly<Record<string, JsonValue>>): string {
  return stringifyJson({ jsonrpc: "2.0", id: 1, method, params });
}

/** Retries attempts that get no response (NODE_UNREACHABLE). */
async function repeated<T>(
  { retries, signal, timer }: HttpChannelOptions,
  ask: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isPassing = error instanceof NodeError && error.code === "NODE_UNREACHABLE";
      if (!isPassing || attempt >= retries || signal.aborted) throw error;
      await pause(timer, signal, FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}

async function answerText(
  { timeoutMs, maxAnswerBytes, signal }: HttpChannelOptions,
  endpoint: Endpoint,
  method: string,
  body: string,
): Promise<string> {
  const { name } = endpoint;
  const answer = await postJson({ endpoint, body, maxAnswerBytes, timeoutMs, signal });
  switch (answer.kind) {
    case "tooLong":
      throw badAnswer(`the answer of ${name} to ${method} is longer than ${maxAnswerBytes} bytes`);
    case "garbled":
      throw badAnswer(`the answer of ${name} to ${method} is not in a requested encoding`);
    case "answered":
      requireLasting(name, method, answer.status);
      return new TextDecoder().decode(answer.bytes);
    default:
      throw errorWithoutAnswer(name, method, timeoutMs, answer);
  }
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
    throw badAnswer(message, cause);
  }
  if (isJsonObject(answer)) {
    const refusal = refusalOf(method, answer["error"], masked);
    if (refusal !== undefined) throw refusal;
    const result = answer["result"] as JsonValue | undefined;
    if (result !== undefined) return result;
  }
  throw badAnswer(`${name} did not answer ${method} with JSON-RPC`);
}
