import { parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type BodyRefusal,
  type HttpReply,
  LONG_BODY,
  type Passage,
  readBodyText,
  type TransactionSubmitter,
  Turns,
  Unpacker,
} from "#api/rpc/index.ts";
import type { GatewayRoute } from "../app.ts";
import { gatewayErrorReply } from "../errors.ts";
import { MAX_BODY_BYTES, TRANSACTION_JSON_LIMITS } from "../limits.ts";
import { submissionReply } from "./answer.ts";
import { readSubmission, type Submission } from "./submission.ts";

/** Dependencies of {@link addTransaction}. */
interface Reading {
  readonly submit: TransactionSubmitter;
  readonly unpacker: Unpacker;
  readonly turns: Turns;
}

/**
 * Route `POST /gateway/add_transaction`: submits a transaction in gateway form, handled like one over
 * JSON-RPC.
 *
 * The main thread parses only the body's outermost members. Long bodies take turns, and classes stay
 * compressed until a query thread has checked the sender's nonce and balance.
 */
export function addTransactionRoute(submit: TransactionSubmitter): GatewayRoute {
  const reading: Reading = { submit, unpacker: new Unpacker(), turns: new Turns() };
  return {
    method: "POST",
    path: "/gateway/add_transaction",
    answer: (passage) => addTransaction(reading, passage),
  };
}

async function addTransaction(
  { submit, unpacker, turns }: Reading,
  { request }: Passage,
): Promise<HttpReply> {
  const body = await readBodyText(request, MAX_BODY_BYTES, unpacker);
  if (body.kind === "refused") return refusedBody(body);
  let submission: Submission | HttpReply;
  try {
    if (body.text.length > LONG_BODY) await turns.take(request.caller);
    submission = read(body.text);
  } finally {
    request.release();
    body.done();
  }
  if ("status" in submission) return submission;
  return submissionReply(submit, submission, request.caller);
}

function refusedBody({ status, reason, headers }: BodyRefusal): HttpReply {
  return gatewayErrorReply("MALFORMED_REQUEST", reason, status, headers);
}

/** Parses a body to a submission, or to the error response. */
function read(text: string): Submission | HttpReply {
  try {
    return readSubmission(parseJson(text, { ...TRANSACTION_JSON_LIMITS, exactNumbers: true }));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const name = error.path === "" ? "MALFORMED_REQUEST" : "SCHEMA_VALIDATION_ERROR";
    return gatewayErrorReply(name, error.message);
  }
}
