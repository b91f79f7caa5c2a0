import { type HttpReply, jsonReply } from "#api/rpc/index.ts";

/** Errors whose codes begin with `StarkErrorCode.`; all others begin with `StarknetErrorCode.`. */
const STARK_ERRORS = [
  "INVALID_SIGNATURE",
  "MALFORMED_REQUEST",
  "SCHEMA_VALIDATION_ERROR",
] as const satisfies readonly string[];

/** Errors that the network's gateway has and this one gives, without what their codes begin with. */
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

/** A code as it stands in answers, for example `StarknetErrorCode.BLOCK_NOT_FOUND`. */
export function gatewayErrorCode(name: GatewayErrorName): string {
  return `${STARK.has(name) ? "StarkErrorCode" : "StarknetErrorCode"}.${name}`;
}

/** The answer to a request that ends with an error of the gateway: a code, a message, nothing else. */
export function gatewayErrorReply(
  name: GatewayErrorName,
  message: string,
  status = 400,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  return jsonReply(JSON.stringify({ code: gatewayErrorCode(name), message }), status, headers);
}
