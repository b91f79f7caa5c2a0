import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from "#base/codec/index.ts";
import { DecodeError, type OriginError } from "#base/errors/index.ts";
import { type RpcParams, type RpcRefusal, refusalOf } from "#io/client/index.ts";
import { type Endpoint, type HttpAnswer, postJson, retryAfterMs } from "#io/http/index.ts";
import { refused, unavailable, wrongAnswer } from "../errors.ts";

/** Call of one method. */
export interface BatchCall {
  readonly method: string;
  readonly params: RpcParams;
}

/** HTTP request with one or more calls. */
export interface BatchRequest {
  readonly endpoint: Endpoint;
  readonly calls: readonly BatchCall[];
  /** Maximum size of the response in bytes. */
  readonly maxAnswerBytes: number;
  /** Timeout of the complete response in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Clock in Unix milliseconds, for `Retry-After`. */
  readonly unixMs: () => number;
}

/** Response to one call of a batch. */
export type CallReply =
  | { readonly kind: "result"; readonly value: JsonValue }
  | { readonly kind: "refusal"; readonly refusal: RpcRefusal }
  /** The batch was answered without this call. */
  | { readonly kind: "missing" };

/** Outcome of an HTTP request. */
export type BatchOutcome =
  | {
      readonly kind: "answered";
      /** One per call, in order. */
      readonly replies: readonly CallReply[];
      /** Size of the decompressed response. */
      readonly sizeBytes: number;
      /** Set when the URL asks to slow down in place of some responses, which are `missing`. */
      readonly busy: OriginError | undefined;
    }
  /** The URL asks to slow down. */
  | {
      readonly kind: "busy";
      readonly retryAfterMs: number | undefined;
      readonly cause: OriginError;
    }
  /** No response, or one that says that the node is unreachable. */
  | {
      readonly kind: "lost";
      readonly cause: OriginError;
      /** Whether a proxy in front of the node responded. */
      readonly isBehindProxy: boolean;
    }
  /** The response exceeds the limit. */
  | { readonly kind: "tooLong"; readonly cause: OriginError }
  /** The response is unusable; a smaller batch may help, if this was one. */
  | {
      readonly kind: "unusable";
      readonly cause: OriginError;
      /** Whether the URL refuses batches of this size, and not only this request. */
      readonly refusesBatch: boolean;
    };

/** Statuses with which providers refuse a batch that is too long. */
const BATCH_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Maximum nesting of a response: each call in a trace takes two levels, an envelope two more. */
const MAX_DEPTH = 1026;

/** Maximum number of values, and of arrays, objects and members, in a response. */
const MAX_ELEMENTS = 16 << 20;
const MAX_PARTS = 8 << 20;

/** Sends calls in one HTTP request: an object for one call, an array for more. Never rejects. */
export async function sendBatch(request: BatchRequest): Promise<BatchOutcome> {
  const { endpoint, calls, maxAnswerBytes, timeoutMs, signal } = request;
  const { name } = endpoint;
  const posted = await postJson({
    endpoint,
    body: stringifyJson(bodyOf(calls)),
    maxAnswerBytes,
    timeoutMs,
    signal,
  });
  switch (posted.kind) {
    case "answered":
      return readAnswer(request, posted);
    case "tooLong":
      return {
        kind: "tooLong",
        cause: wrongAnswer(`the response of ${name} is longer than ${maxAnswerBytes} bytes`),
      };
    case "garbled":
      return unusable(`the response of ${name} is not in a requested encoding`);
    case "elsewhere": {
      const what = `${name} redirects (status ${posted.status}): use the final URL of the node`;
      return { kind: "unusable", cause: refused(what), refusesBatch: false };
    }
    case "timedOut":
      return lost(`${name} did not respond in ${Math.round(timeoutMs)} ms`, posted.cause);
    case "unreachable":
    case "stopped":
      return lost(`the connection to ${name} failed`, posted.cause);
  }
}

function bodyOf(calls: readonly BatchCall[]): JsonValue {
  const bodies = calls.map(({ method, params }, index) => ({
    jsonrpc: "2.0",
    id: index + 1,
    method,
    params,
  }));
  const [only] = bodies;
  return bodies.length === 1 && only !== undefined ? only : bodies;
}

type Answered = Extract<HttpAnswer, { readonly kind: "answered" }>;

function readAnswer(request: BatchRequest, { status, headers, bytes }: Answered): BatchOutcome {
  if (status === 200) return readReplies(request, bytes);
  const failure = failedStatus(request, status, headers);
  if (failure.kind !== "unusable") return failure;
  // Some nodes send an error of JSON-RPC with such a status.
  const replies = readReplies(request, bytes);
  return replies.kind === "unusable" ? failure : replies;
}

function failedStatus(
  { endpoint: { name }, unixMs }: BatchRequest,
  status: number,
  headers: Headers,
): BatchOutcome {
  const wait = retryAfterMs(headers.get("retry-after"), unixMs());
  const what = `${name} responded with status ${status}`;
  if (status === 429 || (status === 503 && wait !== undefined)) {
    return { kind: "busy", retryAfterMs: wait, cause: unavailable(what) };
  }
  // Proxies of public endpoints refuse with a page for a while; nodes refuse a key with another body.
  const isPage = status === 403 && /html/i.test(headers.get("content-type") ?? "");
  if (status === 408 || status >= 500 || isPage) {
    return { kind: "lost", cause: unavailable(what), isBehindProxy: true };
  }
  return { kind: "unusable", cause: refused(what), refusesBatch: BATCH_STATUSES.has(status) };
}

function readReplies(request: BatchRequest, bytes: Uint8Array): BatchOutcome {
  const { endpoint, calls } = request;
  const { name } = endpoint;
  let document: JsonValue;
  try {
    const limits = { maxDepth: MAX_DEPTH, maxElements: MAX_ELEMENTS, maxParts: MAX_PARTS };
    document = parseJson(new TextDecoder().decode(bytes), limits);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    const isOver = cause.meta["limit"] !== undefined;
    const what = isOver ? `is over a limit: ${cause.message}` : "is not complete JSON";
    return unusable(`the response of ${name} ${what}`, cause);
  }
  const answers: readonly JsonValue[] = Array.isArray(document) ? document : [document];
  const [first] = answers;
  if (calls.length > 1 && !Array.isArray(document)) return rejectedBatch(request, first);
  const wrong = wrongIds(answers, calls.length);
  if (wrong !== undefined) return unusable(`the response of ${name} ${wrong}`);
  let busy: RpcRefusal | undefined;
  // Some providers count each call of a batch, and answer only the first ones.
  const replies = calls.map((call, index): CallReply => {
    const reply = replyTo(request, call, answerTo(answers, calls, index));
    if (reply.kind !== "refusal" || !isBusy(reply.refusal)) return reply;
    busy ??= reply.refusal;
    return { kind: "missing" };
  });
  if (replies.every(({ kind }) => kind === "missing")) {
    if (busy !== undefined) return slowDown(busy);
    return unusable(`${name} did not respond with JSON-RPC`);
  }
  return {
    kind: "answered",
    replies,
    sizeBytes: bytes.byteLength,
    busy: busy === undefined ? undefined : busyError(busy),
  };
}

/** Returns what is wrong with the ids of a list of answers; `undefined` if each belongs to one call. */
function wrongIds(answers: readonly JsonValue[], calls: number): string | undefined {
  if (answers.length > calls) return `has ${answers.length} answers to ${calls} calls`;
  if (calls === 1) return undefined;
  const seen = new Set<number>();
  for (const answer of answers) {
    if (!isJsonObject(answer)) return "has an answer that is no object";
    // A node that cannot read a call does not know its id.
    if (answer["id"] === null && answer["error"] !== undefined) continue;
    const id = callNumber(answer);
    const isOfCall = id !== undefined && Number.isInteger(id) && id >= 1 && id <= calls;
    if (!isOfCall) return "has an answer to no call of its batch";
    if (seen.has(id)) return "has two answers to one call";
    seen.add(id);
  }
  return undefined;
}

/** Id of an answer; some providers return a number as text. */
function callNumber(answer: JsonObject): number | undefined {
  const id = answer["id"] as JsonValue | undefined;
  if (typeof id === "number") return id;
  return typeof id === "string" && NUMBER_TEXT.test(id) ? Number(id) : undefined;
}

const NUMBER_TEXT = /^[1-9]\d{0,8}$/;

/** Returns the answer with the call's id; the only answer belongs to the only call. */
function answerTo(
  answers: readonly JsonValue[],
  calls: readonly BatchCall[],
  index: number,
): JsonValue | undefined {
  if (calls.length === 1) return answers[0];
  return answers.find((answer) => isJsonObject(answer) && callNumber(answer) === index + 1);
}

function replyTo(
  { endpoint: { masked } }: BatchRequest,
  { method }: BatchCall,
  answer: JsonValue | undefined,
): CallReply {
  if (!isJsonObject(answer)) return { kind: "missing" };
  const refusal = refusalOf(method, answer["error"], masked);
  if (refusal !== undefined) return { kind: "refusal", refusal };
  const value = answer["result"] as JsonValue | undefined;
  return value === undefined ? { kind: "missing" } : { kind: "result", value };
}

/** Outcome of a batch that was answered with one object. */
function rejectedBatch(
  { endpoint: { name, masked } }: BatchRequest,
  answer: JsonValue | undefined,
): BatchOutcome {
  const error = isJsonObject(answer) ? answer["error"] : undefined;
  const refusal = refusalOf("a batch of calls", error, masked);
  if (refusal !== undefined && isBusy(refusal)) return slowDown(refusal);
  const cause = wrongAnswer(`${name} did not respond to a batch with a list`, refusal);
  return { kind: "unusable", cause, refusesBatch: true };
}

/** Error codes that providers use for their rate limits. */
const BUSY_CODES: ReadonlySet<number> = new Set([429, -32005, -32029, -32090]);
const BUSY_TEXT = /rate.?limit|too many requests|exceeded.*(?:per second|capacity)/i;

function isBusy({ rpcCode, message }: RpcRefusal): boolean {
  return BUSY_CODES.has(rpcCode) || (rpcCode < 0 && BUSY_TEXT.test(message));
}

function slowDown(refusal: RpcRefusal): BatchOutcome {
  return { kind: "busy", retryAfterMs: undefined, cause: busyError(refusal) };
}

function busyError(refusal: RpcRefusal): OriginError {
  return unavailable(refusal.message, refusal);
}

function lost(message: string, cause?: unknown): BatchOutcome {
  return { kind: "lost", cause: unavailable(message, cause), isBehindProxy: false };
}

function unusable(message: string, cause?: unknown): BatchOutcome {
  return { kind: "unusable", cause: wrongAnswer(message, cause), refusesBatch: false };
}
