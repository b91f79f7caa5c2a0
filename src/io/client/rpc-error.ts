import { isJsonObject, type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { Endpoint } from "#io/http/index.ts";
import { RpcRefusal } from "./rpc-refusal.ts";

/** Longest text of an error that is shown. */
const MAX_MESSAGE = 500;

/** Stands for the code of an error that has none: JSON-RPC's own for internal errors. */
const UNKNOWN_CODE = -32_603;

/**
 * The refusal that the member `error` of an answer stands for; its text is cut, and hides keys of the
 * node's address.
 *
 * @returns `undefined` when the member is no JSON-RPC error
 */
export function refusalOf(
  method: string,
  error: unknown,
  masked: Endpoint["masked"],
): RpcRefusal | undefined {
  if (!isJsonObject(error)) return undefined;
  const { code, message, data } = error;
  const said = typeof message === "string" ? message : "an error without a message";
  const more = data === undefined ? "" : ` (${stringifyJson(data as JsonValue)})`;
  const rpcCode = Number.isSafeInteger(code) ? (code as number) : UNKNOWN_CODE;
  return new RpcRefusal(method, rpcCode, cut(masked(said + more)));
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}...` : text;
}

/** Ends of a request that mean the same however its answer is read. */
export type NoAnswer =
  | { readonly kind: "elsewhere"; readonly status: number }
  | { readonly kind: "stopped" | "timedOut" | "unreachable"; readonly cause: unknown };

/**
 * The error for a request that brought no answer.
 *
 * @param timeoutMs - how long it was waited for
 */
export function errorWithoutAnswer(
  name: string,
  method: string,
  timeoutMs: number,
  end: NoAnswer,
): NodeError {
  switch (end.kind) {
    case "elsewhere":
      return badAnswer(
        `${name} leads elsewhere (status ${end.status}): give the address of the node itself`,
      );
    case "stopped":
      return new NodeError("NODE_STOPPED", "it was told to stop", { cause: end.cause });
    case "timedOut":
      return noAnswer(`${name} did not answer ${method} in ${timeoutMs} ms`, end.cause);
    case "unreachable":
      return noAnswer(`cannot reach ${name}: is a node running there?`, end.cause);
  }
}

/** Statuses that may be others next time: too many requests, and what gateways say of a busy node. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Refuses an answer whose status may be another one next time.
 *
 * @throws {NodeError} NODE_UNREACHABLE then
 */
export function requireLasting(name: string, method: string, status: number): void {
  if (!PASSING_STATUSES.has(status)) return;
  throw noAnswer(`${name} answered ${method} with status ${status}`);
}

/** An answer that no further attempt makes better. */
export function badAnswer(message: string, cause?: unknown): NodeError {
  return new NodeError("NODE_BAD_ANSWER", message, { cause });
}

/** The node did not answer; it may do so when it is asked again. */
export function noAnswer(message: string, cause?: unknown): NodeError {
  return new NodeError("NODE_UNREACHABLE", message, { cause });
}
