import { type Dispatcher, refuse } from "../dispatch.ts";
import { type AnswerStream, streamOf } from "../answer-stream.ts";
import type { ResponseBody } from "../batch.ts";
import {
  invalidRequest,
  JSON_RPC_CODES,
  limitExceeded,
  parseFailure,
  requestIdOf,
} from "../json-rpc.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { ResponseNotes } from "../response-notes.ts";
import type { MethodTable } from "../table.ts";
import { type BodyReading, type BodyRefusal, readBodyText } from "./body.ts";
import { emptyReply, errorReply, type HttpReply, jsonReply, jsonStreamReply } from "./message.ts";
import type { OriginCheck } from "./origins.ts";
import type { Unpacker } from "./unpacker.ts";
import type { Passage } from "./routing.ts";

/** Dependencies for reading POST bodies. */
export interface PostDeps {
  readonly isOriginAllowed: OriginCheck;
  /** Maximum bytes of a body, before and after decompression. */
  readonly maxBodyBytes: number;
  readonly unpacker: Unpacker;
  /** Limits calls per address; `null` for no limit. */
  readonly rateLimiter: RateLimiter | null;
}

/** Dependencies for answering JSON-RPC POSTs. */
export interface RpcRouteDeps<C> extends PostDeps {
  readonly dispatcher: Dispatcher<C>;
}

/** A longer body of a refused request is not read, not even for its id. */
const SHORT_REFUSED_BYTES = 4_096;

/** Answers a POST with one version's table; returns synchronously unless it has to wait. */
export function answerPost<C>(
  deps: RpcRouteDeps<C>,
  table: MethodTable<C>,
  passage: Passage,
): HttpReply | Promise<HttpReply> {
  const waitSeconds = deps.rateLimiter?.take(addressOf(passage));
  if (waitSeconds !== undefined) return tooFast(deps, passage, waitSeconds);
  const reading = readPost(deps, passage);
  return reading instanceof Promise
    ? reading.then((body) => answerBody(deps, table, passage, body))
    : answerBody(deps, table, passage, reading);
}

function answerBody<C>(
  { dispatcher, rateLimiter }: RpcRouteDeps<C>,
  table: MethodTable<C>,
  passage: Passage,
  body: BodyReading,
): HttpReply | Promise<HttpReply> {
  if (body.kind === "refused") return refusalReply(body);
  // No reference to the text is kept below while the request is answered.
  const { text, done } = body;
  const { request } = passage;
  let rest: AnswerStream | undefined;
  const notes: ResponseNotes = {
    retryAfterSeconds: undefined,
    hasTurn: false,
    takeRest: (stream) => (rest = stream),
    caller: request.caller,
    bodyConsumed: () => {
      request.release();
      done();
    },
    batchRead: (length) => rateLimiter?.charge(addressOf(passage), length - 1),
  };
  const reply = (answer: ResponseBody): HttpReply => {
    done();
    if (answer === undefined) {
      rest?.close();
      return emptyReply(204);
    }
    if (rest !== undefined) return jsonStreamReply(streamOf(answer, rest));
    return notes.retryAfterSeconds === undefined
      ? jsonReply(answer, 200)
      : busy(answer, notes.retryAfterSeconds);
  };
  const answer = dispatcher.handle(text, table, notes);
  return answer instanceof Promise ? answer.then(reply) : reply(answer);
}

/**
 * Answers a POST for a version that is not served.
 *
 * @param version - such as `v0.6`
 */
export async function refuseVersion(
  deps: PostDeps,
  version: string,
  served: readonly string[],
  passage: Passage,
): Promise<HttpReply> {
  const waitSeconds = deps.rateLimiter?.take(addressOf(passage));
  if (waitSeconds !== undefined) return tooFast(deps, passage, waitSeconds);
  const reading = readPost(deps, passage);
  const body = reading instanceof Promise ? await reading : reading;
  if (body.kind === "refused") return refusalReply(body);
  const error = {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Unsupported RPC version",
    data: `version ${version} is not served here; served: ${served.join(", ")}`,
  };
  body.done();
  return jsonReply(refuse(error, requestIdOf(body.text)), 200);
}

function addressOf({ request }: Passage): string {
  return request.caller.address;
}

/** Refuses a call from an address that has used up its rate limit. */
async function tooFast(deps: PostDeps, passage: Passage, waitSeconds: number): Promise<HttpReply> {
  const maxBodyBytes = Math.min(deps.maxBodyBytes, SHORT_REFUSED_BYTES);
  const body = await readPost({ ...deps, maxBodyBytes }, passage);
  const retry = { "retry-after": String(waitSeconds) };
  const error = limitExceeded(`too many calls from this address: try again in ${waitSeconds} s`);
  if (body.kind === "refused") return errorReply(error, 429, { ...retry, connection: "close" });
  body.done();
  return jsonReply(refuse(error, requestIdOf(body.text)), 429, retry);
}

/**
 * Reads the text of a body, or the reason for refusing it.
 *
 * Bodies are limited while they arrive, before anything is stored, and again while they are decompressed.
 * Hono's body limit would need a real `Request` with a stream, and checks only the compressed size.
 */
function readPost(
  { isOriginAllowed, maxBodyBytes, unpacker }: PostDeps,
  { request, origin }: Passage,
): BodyReading | Promise<BodyReading> {
  if (origin !== null && !isOriginAllowed(origin) && !declaresJson(request.headers)) {
    const reason = "pages of this origin may not call this node";
    return { kind: "refused", status: 403, reason, headers: {} };
  }
  return readBodyText(request, maxBodyBytes, unpacker);
}

function refusalReply({ status, reason, headers }: BodyRefusal): HttpReply {
  const error = status === 400 ? parseFailure(reason) : invalidRequest(reason);
  return errorReply(error, status, headers);
}

/**
 * Whether the content type makes a browser send a preflight for a foreign page. A form post is sent without
 * one (CORS calls it a simple request), so omitting CORS headers from the response would be too late.
 */
function declaresJson(headers: Passage["request"]["headers"]): boolean {
  return (headers.get("content-type") ?? "").toLowerCase().startsWith("application/json");
}

/** A batch may contain successful responses as well: its status stays 200. */
function busy(body: Exclude<ResponseBody, undefined>, retryAfterSeconds: number): HttpReply {
  const first = typeof body === "string" ? body : body[0];
  const isBatch = typeof first === "string" && first.startsWith("[");
  return jsonReply(body, isBatch ? 200 : 429, { "retry-after": String(retryAfterSeconds) });
}
