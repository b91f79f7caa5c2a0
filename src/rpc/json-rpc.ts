import { isJsonObject, type JsonValue, kindOf } from "#codec/index.ts";
import { NotServedError, RpcFault } from "./errors.ts";
import { InvalidParamsError } from "./method.ts";
import type { RpcErrorObject, SpecVersion } from "./spec/version.ts";

/** Codes that JSON-RPC 2.0 itself defines (section 5.1). */
export const JSON_RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** The id of a request; `undefined` marks a notification, which gets no response. */
export type RequestId = string | number | bigint | null | undefined;

/** One request of an envelope. */
export interface JsonRpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonValue | undefined;
}

/** A request, or why it is none; `id` is the one to answer with. */
export type RequestReading =
  | { readonly kind: "request"; readonly request: JsonRpcRequest }
  | { readonly kind: "invalid"; readonly id: RequestId; readonly error: RpcErrorObject };

/** Reads one member of a batch, or the whole body (JSON-RPC 2.0, section 4). */
export function readRequest(value: JsonValue): RequestReading {
  if (!isJsonObject(value)) return invalid(null, `expected a request object, got ${kindOf(value)}`);
  const id = value["id"];
  if (
    id !== undefined &&
    id !== null &&
    typeof id !== "string" &&
    typeof id !== "number" &&
    typeof id !== "bigint"
  ) {
    return invalid(null, `id: expected text, a number or null, got ${kindOf(id)}`);
  }
  // A broken request is answered even without an id: its sender can not have meant a notification.
  const answerId = id ?? null;
  if (value["jsonrpc"] !== "2.0") return invalid(answerId, 'jsonrpc: expected "2.0"');
  const method = value["method"];
  if (typeof method !== "string") return invalid(answerId, "method: expected text");
  const params = value["params"];
  if (params !== undefined && typeof params !== "object") {
    return invalid(answerId, "params: expected an array or an object");
  }
  return { kind: "request", request: { id, method, params: params as JsonValue | undefined } };
}

function invalid(id: RequestId, reason: string): RequestReading {
  return { kind: "invalid", id, error: invalidRequest(reason) };
}

/** -32600 with a reason. */
export function invalidRequest(reason: string): RpcErrorObject {
  return { code: JSON_RPC_CODES.invalidRequest, message: "Invalid request", data: reason };
}

/** -32700 with a reason. */
export function parseFailure(reason: string): RpcErrorObject {
  return { code: JSON_RPC_CODES.parseError, message: "Parse error", data: reason };
}

/** -32601 with the nearest name, so that a typing error explains itself. */
export function methodNotFound(method: string, nearest: string | undefined): RpcErrorObject {
  const shown = method.length <= 64 ? method : `${method.slice(0, 64)}…`;
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  return {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Method not found",
    data: `there is no method "${shown}"${hint}`,
  };
}

/** An error as answer, and whether it is one of ours to look into. */
export interface ErrorReading {
  readonly error: RpcErrorObject;
  readonly internal: boolean;
}

/**
 * What a caller is told about anything that a method threw. Total: what is not meant for callers
 * becomes -32603 with `logId` alone, never a stack and never a text of the storage.
 */
export function toRpcError(thrown: unknown, spec: SpecVersion, logId: string): ErrorReading {
  if (thrown instanceof RpcFault) return { error: spec.error(thrown), internal: false };
  if (thrown instanceof InvalidParamsError) {
    const { path, expected, meta } = thrown;
    return {
      error: {
        code: JSON_RPC_CODES.invalidParams,
        message: "Invalid params",
        data: { path, expected, got: String(meta["got"]) },
      },
      internal: false,
    };
  }
  const internalError = { code: JSON_RPC_CODES.internalError, message: "Internal error" };
  if (thrown instanceof NotServedError) {
    return { error: { ...internalError, data: thrown.message }, internal: false };
  }
  return { error: { ...internalError, data: { log_id: logId } }, internal: true };
}
