import { isJsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError, StorageError } from "#base/errors/index.ts";
import { DevnetFault } from "./devnet/fault.ts";
import { InvalidClassFault, NotServedError, RpcFault } from "./errors.ts";
import { InvalidParamsError } from "./decode-params.ts";
import { shorten, showValue } from "./offending-value.ts";
import { ProofFault } from "./proofs/faults.ts";
import type { RpcErrorObject, SpecVersion } from "./spec/version.ts";

/** Codes that JSON-RPC 2.0 defines (section 5.1), and two from its range for servers. */
export const JSON_RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  responseTooLarge: -32003,
  limitExceeded: -32005,
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
  if (!isJsonObject(value))
    return invalid(null, `expected a request object, got ${showValue(value)}`);
  const id = value["id"];
  if (
    id !== undefined &&
    id !== null &&
    typeof id !== "string" &&
    typeof id !== "number" &&
    typeof id !== "bigint"
  ) {
    return invalid(null, `id: expected text, a number or null, got ${showValue(id)}`);
  }
  // A broken request is answered even without an id: its sender cannot have meant a notification.
  const answerId = id ?? null;
  if (value["jsonrpc"] !== "2.0") {
    return invalid(answerId, `jsonrpc: expected "2.0", got ${showValue(value["jsonrpc"])}`);
  }
  const method = value["method"];
  if (typeof method !== "string") {
    return invalid(answerId, `method: expected text, got ${showValue(method)}`);
  }
  const params = value["params"];
  if (params !== undefined && typeof params !== "object") {
    return invalid(answerId, `params: expected an array or an object, got ${showValue(params)}`);
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

/** Why a body was not read: no JSON, or JSON that this node does not take. */
export function unreadable(error: unknown): RpcErrorObject {
  if (!(error instanceof DecodeError)) return parseFailure("expected JSON text");
  const { limit } = error.meta;
  return limit === undefined || limit === "depth"
    ? parseFailure(error.message)
    : invalidRequest(error.message);
}

/** -32003: the answer, alone or with others of its batch, is longer than the server sends. */
export function responseTooLarge(maxBytes: number, orElse = ""): RpcErrorObject {
  return {
    code: JSON_RPC_CODES.responseTooLarge,
    message: "Response too large",
    data: `the response would be longer than ${maxBytes} bytes: ask for less at once${orElse}`,
  };
}

/** -32005 (EIP-1474): the node takes no more of this for now. */
export function limitExceeded(reason: string): RpcErrorObject {
  return { code: JSON_RPC_CODES.limitExceeded, message: "Limit exceeded", data: reason };
}

/** The answer to what waited for too long while the node held too much for its clients. */
export const NO_ROOM: RpcErrorObject = limitExceeded(
  "the node holds as many bytes for its clients as it may: try again later",
);

/** When a client may try again that {@link NO_ROOM} was told. */
export const NO_ROOM_SECONDS = 1;

/** -32601 with the nearest name, so that a typing error explains itself. */
export function methodNotFound(method: string, nearest: string | undefined): RpcErrorObject {
  const shown = shorten(method, 64);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  return {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Method not found",
    data: `there is no method "${shown}"${hint}`,
  };
}

/** -32601 for what only WebSocket connections have. */
export function onlyOverWebSocket(method: string): RpcErrorObject {
  return {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Method not found",
    data: `${method} needs a WebSocket: open one on the same path`,
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
export function toRpcError(
  thrown: unknown,
  spec: SpecVersion,
  method: string,
  logId: string,
): ErrorReading {
  if (thrown instanceof RpcFault) return { error: spec.error(thrown, method), internal: false };
  if (thrown instanceof StorageError && thrown.code === "STORAGE_PRUNED") {
    const fault = new RpcFault("BLOCK_NOT_FOUND", thrown.message);
    return { error: spec.error(fault, method), internal: false };
  }
  if (
    thrown instanceof DevnetFault ||
    thrown instanceof ProofFault ||
    thrown instanceof InvalidClassFault
  ) {
    return { error: thrown.error, internal: false };
  }
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

/** The id of a body with one request; `null` for everything else. */
export function requestIdOf(body: string): RequestId {
  try {
    const reading = readRequest(parseJson(body));
    return reading.kind === "invalid" ? reading.id : reading.request.id;
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}
