import { isJsonObject, type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { Endpoint } from "#io/http/index.ts";
import { RpcRefusal } from "./rpc-refusal.ts";

/** Maximum length of an error text that is shown. */
const MAX_MESSAGE = 500;

/** Code for an error without one: JSON-RPC's code for internal errors. */
const UNKNOWN_CODE = -32_603;

/**
 * Converts the member `error` of a response. The text is truncated, and secrets of the node's address are
 * masked.
 *
 * @returns `undefined` when the member is not a JSON-RPC error
 */
export function refusalOf(
  method: string,
  error: unknown,
  masked: Endpoint["masked"],
): RpcRefusal | undefined {
  if (!isJsonObject(error)) return undefined;
  const { code, message, data } = error;
  const text = typeof message === "string" ? message : "an error without a message";
  const more = data === undefined ? "" : ` (${stringifyJson(data as JsonValue)})`;
  const rpcCode = Number.isSafeInteger(code) ? (code as number) : UNKNOWN_CODE;
  return new RpcRefusal(method, rpcCode, cut(masked(text + more)));
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}...` : text;
}

/**
 * Failure of a request without a response to read: a redirect (`elsewhere`), an aborted signal
 * (`stopped`), a timeout, or no connection.
 */
export type NoAnswer =
  | { readonly kind: "elsewhere"; readonly status: number }
  | { readonly kind: "stopped" | "timedOut" | "unreachable"; readonly cause: unknown };

/**
 * Creates the error for a request without a usable response.
 *
 * @param timeoutMs - the timeout that applied
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
        `${name} redirects (status ${end.status}): configure the final address of the node`,
      );
    case "stopped":
      return new NodeError("NODE_STOPPED", "it was stopped", { cause: end.cause });
    case "timedOut":
      return noAnswer(`${name} did not answer ${method} in ${timeoutMs} ms`, end.cause);
    case "unreachable":
      return noAnswer(`cannot reach ${name}: is a node running there?`, end.cause);
  }
}

/** Transient statuses: too many requests, and a proxy's statuses for a busy node. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Throws for HTTP statuses that a retry may cure, such as 503; other statuses pass.
 *
 * @throws {NodeError} NODE_UNREACHABLE for a transient status
 */
export function requireLasting(name: string, method: string, status: number): void {
  if (!PASSING_STATUSES.has(status)) return;
  throw noAnswer(`${name} answered ${method} with status ${status}`);
}

/** Creates the error for an invalid response; a retry would not help. */
export function badAnswer(message: string, cause?: unknown): NodeError {
  return new NodeError("NODE_BAD_ANSWER", message, { cause });
}

/** Creates the error for a missing response; a retry may help. */
export function noAnswer(message: string, cause?: unknown): NodeError {
  return new NodeError("NODE_UNREACHABLE", message, { cause });
}
