import { type HttpReply, jsonReply } from "#api/rpc/index.ts";

/** Errors whose codes have the prefix `StarkErrorCode.`; all others use `StarknetErrorCode.`. */
const STARK_ERRORS = [
  "INVALID_SIGNATURE",
  "MALFORMED_REQUEST",
  "SCHEMA_VALIDATION_ERROR",
] as const satisfies readonly string[];

/**
 * Name, without the code prefix, of an error that this gateway returns as the public networks'
 * gateway does.
 */
export type GatewayErrorName =
  | (typeof STARK_ERRORS)[number]
  | "BLOCK_NOT_FOUND"
  | "CLASS_ALREADY_DECLARED"
  | "COMPILATION_FAILED"
  | "CONTRACT_BYTECODE_SIZE_TOO_LARGE"
  | "CONTRACT_CLASS_OBJECT_SIZE_TOO_LARGE"
  | "DEPRECATED_TRANSACTION"
  | "DUPLICATED_TRANSACTION"
  | "ENTRY_POINT_NOT_FOUND_IN_CONTRACT"
  | "FEE_BELOW_MINIMUM"
  | "INSUFFICIENT_ACCOUNT_BALANCE"
  | "INSUFFICIENT_MAX_FEE"
  | "INVALID_COMPILED_CLASS_HASH"
  | "INVALID_CONTRACT_CLASS"
  | "INVALID_CONTRACT_CLASS_VERSION"
  | "INVALID_PROGRAM"
  | "INVALID_PROOF"
  | "INVALID_TRANSACTION_NONCE"
  | "INVALID_TRANSACTION_VERSION"
  | "NON_PERMITTED_CONTRACT"
  | "NO_SIGNATURE_FOR_PENDING_BLOCK"
  | "NO_TRACE"
  | "OUT_OF_RANGE_BLOCK_HASH"
  | "OUT_OF_RANGE_CLASS_HASH"
  | "OUT_OF_RANGE_CONTRACT_ADDRESS"
  | "OUT_OF_RANGE_STORAGE_KEY"
  | "OUT_OF_RANGE_TRANSACTION_HASH"
  | "RATE_LIMITED"
  | "REPLACEMENT_TRANSACTION_UNDERPRICED"
  | "TRANSACTION_FAILED"
  | "TRANSACTION_LIMIT_EXCEEDED"
  | "UNDECLARED_CLASS"
  | "UNINITIALIZED_CONTRACT"
  | "VALIDATE_FAILURE";

const STARK: ReadonlySet<string> = new Set(STARK_ERRORS);

/** Returns the error code in wire form, for example `StarknetErrorCode.BLOCK_NOT_FOUND`. */
export function gatewayErrorCode(name: GatewayErrorName): string {
  return `${STARK.has(name) ? "StarkErrorCode" : "StarknetErrorCode"}.${name}`;
}

/** Builds an error response of the gateway: only a code and a message. */
export function gatewayErrorReply(
  name: GatewayErrorName,
  message: string,
  status = 400,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return jsonReply(JSON.stringify({ code: gatewayErrorCode(name), message }), status, headers);
}
