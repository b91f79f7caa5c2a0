import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import type { ResponseBody } from "./batch.ts";
import { JsonText } from "./json-text.ts";
import type { RequestId } from "./json-rpc.ts";
import type { RpcErrorObject } from "./spec/version.ts";

/** Outcome of a method: JSON of `{"result": ...}` or `{"error": ...}`, as text or UTF-8. */
export type Outcome = string | Uint8Array;

/** Byte after `{"` in a result; an error has `e` there. */
const RESULT_MARK = "r".charCodeAt(0);
/** Prefix length that always contains an error's code, which is its first member. */
const CODE_END = 40;

/** Whether the outcome is a result. */
export function isResult(outcome: Outcome): boolean {
  return (typeof outcome === "string" ? outcome.charCodeAt(2) : outcome[2]) === RESULT_MARK;
}

/** Returns the code that {@link errorText} wrote; `undefined` for a result. */
export function errorCodeOf(outcome: Outcome): number | undefined {
  if (isResult(outcome)) return undefined;
  const head =
    typeof outcome === "string"
      ? outcome.slice(0, CODE_END)
      : new TextDecoder().decode(outcome.subarray(0, CODE_END));
  const [, code] = /^\{"error":\{"code":(-?\d+)/.exec(head) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** Encodes a method's result as the outcome `{"result": ...}`. */
export function resultText(result: JsonValue | JsonText): string {
  return `{"result":${jsonOf(result)}}`;
}

/** Returns the JSON of a result. */
export function jsonOf(result: JsonValue | JsonText): string {
  return result instanceof JsonText ? result.text : stringifyJson(result);
}

/** Number of bytes that {@link resultText} adds to the JSON of the result. */
export const RESULT_BYTES: number = '{"result":}'.length;

/**
 * Equals {@link envelope} of {@link resultText}, without the intermediate string.
 *
 * @param json - the result
 */
export function resultEnvelope(id: RequestId, json: string): ResponseBody {
  return id === undefined ? undefined : `{"jsonrpc":"2.0","id":${idText(id)},"result":${json}}`;
}

/** Plain numbers already have JSON's notation. */
function idText(id: Exclude<RequestId, undefined>): string {
  return typeof id === "number" ? String(id) : stringifyJson(id);
}

/**
 * Encodes a method's error as the outcome `{"error": ...}`, with the code first, so that {@link
 * errorCodeOf} finds it.
 */
export function errorText(error: RpcErrorObject): string {
  const { code, ...rest } = error;
  return `{"error":${stringifyJson({ code, ...rest })}}`;
}

/**
 * Completes an outcome to a JSON-RPC response: prepends version and id, without parsing or copying
 * it.
 */
export function envelope(id: RequestId, outcome: Outcome): ResponseBody {
  if (id === undefined) return undefined;
  const head = `{"jsonrpc":"2.0","id":${idText(id)},`;
  return typeof outcome === "string" ? head + outcome.slice(1) : [head, outcome.subarray(1)];
}
