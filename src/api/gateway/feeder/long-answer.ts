import { type AnswerStream, type Caller, isResult, type QueryPool } from "#api/rpc/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { AppError } from "#base/errors/index.ts";
import type { GatewayErrorName } from "../errors.ts";
import { GatewayFault } from "./fault.ts";

/** Name under which query threads find the method table of the feeder gateway. */
export const FEEDER_TABLE = "feeder_gateway";

/** Length of the prefix of a query thread's result; a closing brace follows the value. */
const HEAD_BYTES = '{"result":'.length;

/** JSON-RPC error codes and the equivalent gateway errors. */
const ERRORS: ReadonlyMap<number, GatewayErrorName> = new Map([
  [20, "UNINITIALIZED_CONTRACT"],
  [21, "ENTRY_POINT_NOT_FOUND_IN_CONTRACT"],
  [24, "BLOCK_NOT_FOUND"],
  [28, "UNDECLARED_CLASS"],
  [40, "TRANSACTION_FAILED"],
]);

/** JSON-RPC error code of a query that was rejected for lack of capacity. */
const NO_ROOM = -32005;

/** Failure to compute a long response: no capacity, a timeout, or an internal error. */
export class LongAnswerFault extends AppError {
  /** Seconds after which the client may retry; `undefined` unless capacity was missing. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, retryAfterSeconds: number | undefined) {
    super("GATEWAY_LONG_ANSWER", message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** UTF-8 JSON computed by a query thread: complete, or its first part. */
export interface LongAnswer {
  readonly bytes: Uint8Array;
  /** Remaining chunks of a very long response; `undefined` when `bytes` is complete. */
  readonly rest: AnswerStream | undefined;
}

/**
 * Computes a response on a query thread. The bytes are passed through unchanged.
 *
 * @returns UTF-8 JSON
 * @throws {GatewayFault} when the query failed with an error that the gateway reports
 * @throws {LongAnswerFault} when the query produced no response
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
 * Computes a response of any length on a query thread, streamed when it is very long.
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
  const takeRest = (stream: AnswerStream): void => void (rest = withoutLastByte(stream));
  const text = stringifyJson(params);
  const bytes = resultOf(await pool.run(FEEDER_TABLE, name, text, caller, takeRest));
  return { bytes: rest === undefined ? bytes.subarray(0, -1) : bytes, rest };
}

/** Returns the result, including the closing brace of the envelope. */
function resultOf(outcome: Uint8Array): Uint8Array {
  if (isResult(outcome)) return outcome.subarray(HEAD_BYTES);
  throw faultOf(parseJson(new TextDecoder().decode(outcome)));
}

function withoutLastByte(stream: AnswerStream): AnswerStream {
  let lastByte = new Uint8Array(0);
  return {
    async next() {
      const piece = await stream.next();
      if (piece === undefined || piece.byteLength === 0) return piece;
      const bytes = Buffer.concat([lastByte, piece.subarray(0, -1)]);
      lastByte = piece.slice(-1);
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

/** Returns the error message, followed by its data: for a failed call, the reason. */
function described(message: JsonValue | undefined, data: JsonValue | undefined): string {
  const text = typeof message === "string" ? message : "";
  return data === undefined ? text : `${text}: ${stringifyJson(data)}`;
}
