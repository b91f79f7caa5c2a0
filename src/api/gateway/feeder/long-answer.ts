import { type AnswerStream, type Caller, isResult, type QueryPool } from "#api/rpc/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { AppError } from "#base/errors/index.ts";
import type { GatewayErrorName } from "../errors.ts";
import { GatewayFault } from "./fault.ts";

/** Under this name query threads find what they do for the feeder gateway. */
export const FEEDER_TABLE = "feeder_gateway";

/** What a long answer begins with; it ends with a brace. */
const HEAD_BYTES = '{"result":'.length;

/** Errors of JSON-RPC with the error of the gateway that says the same. */
const ERRORS: ReadonlyMap<number, GatewayErrorName> = new Map([
  [20, "UNINITIALIZED_CONTRACT"],
  [21, "ENTRY_POINT_NOT_FOUND_IN_CONTRACT"],
  [24, "BLOCK_NOT_FOUND"],
  [28, "UNDECLARED_CLASS"],
  [40, "TRANSACTION_FAILED"],
]);

/** The code of a query that there is no room for. */
const NO_ROOM = -32005;

/** A long answer that was not made: the node has no room for it, or it takes too long, or it failed. */
export class LongAnswerFault extends AppError {
  /** There was no room: the client may ask again after this. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, retryAfterSeconds: number | undefined) {
    super("GATEWAY_LONG_ANSWER", message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** UTF-8 JSON that a query thread has made, as a whole or the beginning of it. */
export interface LongAnswer {
  readonly bytes: Uint8Array;
  /** What follows behind the bytes, where the answer is very long. */
  readonly rest: AnswerStream | undefined;
}

/**
 * Has a query thread make an answer. Its bytes go through as they are.
 *
 * @returns UTF-8 JSON
 * @throws {GatewayFault} when it ended with an error of the gateway
 * @throws {LongAnswerFault} when there is no answer
 */
export async function longAnswer(
  pool: QueryPool,
  caller: Caller,
  name: string,
  params: readonly JsonValue[],
): Promise<Uint8Array> {
  const bytes = await pool.run(FEEDER_TABLE, name, stringifyJson(params), caller);
  return resultOf(bytes).subarray(0, -1);
}

/**
 * The same for an answer of any length.
 *
 * @throws as {@link longAnswer}
 */
export async function streamedAnswer(
  pool: QueryPool,
  caller: Caller,
  name: string,
  params: readonly JsonValue[],
): Promise<LongAnswer> {
  let rest: AnswerStream | undefined;
  const takeRest = (given: AnswerStream): void => void (rest = withoutLastByte(given));
  const text = stringifyJson(params);
  const bytes = resultOf(await pool.run(FEEDER_TABLE, name, text, caller, takeRest));
  return { bytes: rest === undefined ? bytes.subarray(0, -1) : bytes, rest };
}

/** The result with the brace that closes the outcome. */
function resultOf(outcome: Uint8Array): Uint8Array {
  if (isResult(outcome)) return outcome.subarray(HEAD_BYTES);
  throw faultOf(parseJson(new TextDecoder().decode(outcome)));
}

/** The bytes of a stream but for the last one. */
function withoutLastByte(stream: AnswerStream): AnswerStream {
  let held = new Uint8Array(0);
  return {
    async next() {
      const piece = await stream.next();
      if (piece === undefined || piece.byteLength === 0) return piece;
      const bytes = Buffer.concat([held, piece.subarray(0, -1)]);
      held = piece.slice(-1);
      return bytes;
    },
    close: () => stream.close(),
  };
}

function faultOf(outcome: JsonValue): AppError {
  const error = isJsonObject(outcome) ? outcome["error"] : undefined;
  const { code, message, data } = isJsonObject(error) ? error : {};
  const reason = typeof data === "string" ? data : undefined;
  const name = typeof code === "number" ? ERRORS.get(code) : undefined;
  if (name !== undefined) return new GatewayFault(name, reason ?? described(message, data));
  if (code === NO_ROOM) return new LongAnswerFault(reason ?? "busy", 1);
  return new LongAnswerFault(reason ?? "Internal Server Error", undefined);
}

/** The error's own words, with what it tells of a failed call. */
function described(message: JsonValue | undefined, data: JsonValue | undefined): string {
  const text = typeof message === "string" ? message : "";
  return data === undefined ? text : `${text}: ${stringifyJson(data)}`;
}
