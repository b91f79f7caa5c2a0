import type { CallFailure } from "#engine/execution/index.ts";
import { AppError } from "#base/errors/index.ts";

/**
 * Errors of the Starknet JSON-RPC specification that our methods return, by their names in the newest
 * version. Codes never changed between versions; names and messages did.
 */
export const RPC_ERRORS = {
  NO_TRACE_AVAILABLE: { code: 10, message: "No trace available for transaction" },
  CONTRACT_NOT_FOUND: { code: 20, message: "Contract not found" },
  ENTRYPOINT_NOT_FOUND: {
    code: 21,
    message: "Requested entry point does not exist in the contract",
  },
  BLOCK_NOT_FOUND: { code: 24, message: "Block not found" },
  INVALID_TXN_INDEX: { code: 27, message: "Invalid transaction index in a block" },
  CLASS_HASH_NOT_FOUND: { code: 28, message: "Class hash not found" },
  TXN_HASH_NOT_FOUND: { code: 29, message: "Transaction hash not found" },
  PAGE_SIZE_TOO_BIG: { code: 31, message: "Requested page size is too big" },
  NO_BLOCKS: { code: 32, message: "There are no blocks" },
  INVALID_CONTINUATION_TOKEN: {
    code: 33,
    message: "The supplied continuation token is invalid or unknown",
  },
  TOO_MANY_KEYS_IN_FILTER: { code: 34, message: "Too many keys provided in a filter" },
  CONTRACT_ERROR: { code: 40, message: "Contract error" },
  TRANSACTION_EXECUTION_ERROR: { code: 41, message: "Transaction execution error" },
  STORAGE_PROOF_NOT_SUPPORTED: {
    code: 42,
    message: "the node doesn't support storage proofs for blocks that are too far in the past",
  },
  CLASS_ALREADY_DECLARED: { code: 51, message: "Class already declared" },
  INVALID_TRANSACTION_NONCE: { code: 52, message: "Invalid transaction nonce" },
  INSUFFICIENT_RESOURCES_FOR_VALIDATE: {
    code: 53,
    message: "The transaction's resources don't cover validation or the minimal transaction fee",
  },
  INSUFFICIENT_ACCOUNT_BALANCE: {
    code: 54,
    message:
      "Account balance is smaller than the transaction's maximal fee (calculated as the sum of each resource's limit x max price)",
  },
  VALIDATION_FAILURE: { code: 55, message: "Account validation failed" },
  COMPILATION_FAILED: { code: 56, message: "Compilation failed" },
  CONTRACT_CLASS_SIZE_IS_TOO_LARGE: { code: 57, message: "Contract class size is too large" },
  NON_ACCOUNT: { code: 58, message: "Sender address is not an account contract" },
  DUPLICATE_TX: {
    code: 59,
    message: "A transaction with the same hash already exists in the mempool",
  },
  COMPILED_CLASS_HASH_MISMATCH: {
    code: 60,
    message: "the compiled class hash did not match the one supplied in the transaction",
  },
  UNSUPPORTED_TX_VERSION: { code: 61, message: "the transaction version is not supported" },
  UNSUPPORTED_CONTRACT_CLASS_VERSION: {
    code: 62,
    message: "the contract class version is not supported",
  },
  UNEXPECTED_ERROR: { code: 63, message: "An unexpected error occurred" },
  REPLACEMENT_TRANSACTION_UNDERPRICED: {
    code: 64,
    message: "Replacement transaction is underpriced",
  },
  FEE_BELOW_MINIMUM: { code: 65, message: "Transaction fee below minimum" },
  INVALID_SUBSCRIPTION_ID: { code: 66, message: "Invalid subscription id" },
  TOO_MANY_ADDRESSES_IN_FILTER: {
    code: 67,
    message: "Too many addresses in filter sender_address filter",
  },
  TOO_MANY_BLOCKS_BACK: { code: 68, message: "Cannot go back more than 1024 blocks" },
  INVALID_PROOF: {
    code: 69,
    message: "The proof field in the invoke v3 transaction is invalid",
  },
  COMPILATION_ERROR: { code: 100, message: "Failed to compile the contract" },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly message: string }>>;

/** Name of an error of the specification. */
export type RpcErrorName = keyof typeof RPC_ERRORS;

/** A failed execution: structured frames if known, otherwise only the text. */
export type ExecutionFailure = CallFailure | string;

/** Data of errors whose data has its own shape; all others carry a reason text or nothing. */
export interface RpcErrorData {
  readonly CONTRACT_ERROR: { readonly failure: ExecutionFailure };
  readonly TRANSACTION_EXECUTION_ERROR: {
    readonly transactionIndex: number;
    readonly failure: ExecutionFailure;
  };
  readonly COMPILATION_ERROR: { readonly compilationError: string };
  readonly NO_TRACE_AVAILABLE: { readonly status: "RECEIVED" | "REJECTED" };
}

/** Type of the data of error `N`. */
export type DataOf<N extends RpcErrorName> = N extends keyof RpcErrorData
  ? RpcErrorData[N]
  : string;

/**
 * Type of the function with which a method's handler throws one of the errors that the method
 * declares.
 */
export type Fail<E extends RpcErrorName> = <N extends E>(
  name: N,
  ...data: N extends keyof RpcErrorData ? [data: RpcErrorData[N]] : [reason?: string]
) => never;

/** Error of the specification that ends a request; encoded by the transport. */
export class RpcFault extends AppError {
  readonly errorName: RpcErrorName;
  readonly data: DataOf<RpcErrorName> | undefined;

  constructor(errorName: RpcErrorName, data?: DataOf<RpcErrorName>) {
    super(`RPC_${errorName}`, RPC_ERRORS[errorName].message);
    this.errorName = errorName;
    this.data = data;
  }
}

/**
 * The node has no room for a transaction now. On the wire it is an UNEXPECTED_ERROR, as from nodes of the
 * public networks when their gateway has no room.
 */
export class BusyFault extends RpcFault {
  readonly retryAfterSeconds: number;

  constructor(reason: string, retryAfterSeconds: number) {
    super("UNEXPECTED_ERROR", reason);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A sequencer of a public network rejects a class; the specification no longer defines this error. */
export class InvalidClassFault extends AppError {
  /** Error as sent to the client. */
  readonly error: { readonly code: 50; readonly message: string; readonly data: string };

  constructor(reason: string) {
    const message = "Invalid contract class";
    super("RPC_INVALID_CONTRACT_CLASS", message);
    this.error = { code: 50, message, data: reason };
  }
}

/** The node cannot serve this method of the specification, at all or with its current settings. */
export class NotServedError extends AppError {
  constructor(message: string) {
    super("RPC_NOT_SERVED", message);
  }
}

/** Throws an error of the specification by its name, with its data. */
export const fail: Fail<RpcErrorName> = (name, ...data) => {
  throw new RpcFault(name, data[0] as DataOf<RpcErrorName> | undefined);
};
