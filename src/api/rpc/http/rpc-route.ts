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
import type { ResponseNotes } from "../response-notes.ts";
import type { MethodTable } from "../table.ts";
import type { BodyReading, BodyRefusal } from "./body.ts";
import { emptyReply, errorReply, type HttpReply, jsonReply, jsonStreamReply } from "./message.ts";
import { type PostDeps, readPost, SHORT_REFUSED_BYTES } from "./read-post.ts";
import type { Passage } from "./routing.ts";

/** Dependencies for answering JSON-RPC POSTs. */
export interface RpcRouteDeps<C> extends PostDeps {
  readonly dispatcher: Dispatcher<C>;
}

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

function refusalReply({ status, reason, headers }: BodyRefusal): HttpReply {
  const error = status === 400 ? parseFailure(reason) : invalidRequest(reason);
  return errorReply(error, status, headers);
}

/** A batch may contain successful responses as well: its status stays 200. */
function busy(body: Exclude<ResponseBody, undefined>, retryAfterSeconds: number): HttpReply {
  const first = typeof body === "string" ? body : body[0];
  const isBatch = typeof first === "string" && first.startsWith("[");
  return jsonReply(body, isBatch ? 200 : 429, { "retry-after": String(retryAfterSeconds) });
}
