import { isJsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError, OriginError, StorageError } from "#base/errors/index.ts";
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

/** Id of a request; `undefined` marks a notification, which gets no response. */
export type RequestId = string | number | bigint | null | undefined;

/** One JSON-RPC request. */
export interface JsonRpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonValue | undefined;
}

/** Parsed request, or the error if it is invalid; `id` is the one for the response. */
export type RequestReading =
  | { readonly kind: "request"; readonly request: JsonRpcRequest }
  | { readonly kind: "invalid"; readonly id: RequestId; readonly error: RpcErrorObject };

/** Validates one member of a batch, or a whole body (JSON-RPC 2.0, section 4). */
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
  // An invalid request is answered even without an id: its sender cannot have meant a notification.
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

/** Creates error -32600 with a reason. */
export function invalidRequest(reason: string): RpcErrorObject {
  return { code: JSON_RPC_CODES.invalidRequest, message: "Invalid request", data: reason };
}

/** Creates error -32700 with a reason. */
export function parseFailure(reason: string): RpcErrorObject {
  return { code: JSON_RPC_CODES.parseError, message: "Parse error", data: reason };
}

/**
 * Creates the error for a request body that could not be parsed: not JSON, or JSON beyond this
 * node's limits.
 */
export function unreadable(error: unknown): RpcErrorObject {
  if (!(error instanceof DecodeError)) return parseFailure("expected JSON text");
  const { limit } = error.meta;
  return limit === undefined || limit === "depth"
    ? parseFailure(error.message)
    : invalidRequest(error.message);
}

/**
 * Creates error -32003: the response, alone or together with others of its batch, is longer than the server
 * sends.
 */
export function responseTooLarge(maxBytes: number, orElse = ""): RpcErrorObject {
  return {
    code: JSON_RPC_CODES.responseTooLarge,
    message: "Response too large",
    data: `the response would be longer than ${maxBytes} bytes: request less at a time${orElse}`,
  };
}

/** Creates error -32005 (EIP-1474) for a request beyond a limit of the node, with the reason. */
export function limitExceeded(reason: string): RpcErrorObject {
  return { code: JSON_RPC_CODES.limitExceeded, message: "Limit exceeded", data: reason };
}

/**
 * Error response to a request that waited too long because the node held too many bytes for its
 * clients.
 */
export const NO_ROOM: RpcErrorObject = limitExceeded(
  "the node has no memory left for client requests: try again later",
);

/** Seconds after which a client that received {@link NO_ROOM} may retry, sent as `Retry-After`. */
export const NO_ROOM_SECONDS = 1;

/** Creates error -32601; its data suggests the most similar name, in case of a typo. */
export function methodNotFound(method: string, nearest: string | undefined): RpcErrorObject {
  const shown = shorten(method, 64);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  return {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Method not found",
    data: `there is no method "${shown}"${hint}`,
  };
}

/** Creates error -32601 for methods that exist only on WebSocket connections. */
export function onlyOverWebSocket(method: string): RpcErrorObject {
  return {
    code: JSON_RPC_CODES.methodNotFound,
    message: "Method not found",
    data: `${method} needs a WebSocket: open one on the same path`,
  };
}

/** Error response, and whether it is an internal error to investigate. */
export interface ErrorReading {
  readonly error: RpcErrorObject;
  readonly internal: boolean;
}

/**
 * Converts anything that a method threw to the error for the client. Total: an error not meant for clients
 * becomes -32603 with only a `logId`, never with a stack or a text of the storage.
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
  if (thrown instanceof NotServedError || thrown instanceof OriginError) {
    return { error: { ...internalError, data: thrown.message }, internal: false };
  }
  return { error: { ...internalError, data: { log_id: logId } }, internal: true };
}

/** Returns the id of a body with a single request; `null` for everything else. */
export function requestIdOf(body: string): RequestId {
  try {
    const reading = readRequest(parseJson(body));
    return reading.kind === "invalid" ? reading.id : reading.request.id;
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}
