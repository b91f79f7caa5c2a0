import type { CallFailure } from "../call/error-text.ts";

/** Reason why a transaction cannot be included. */
export type RejectionCode =
  | "INVALID_VERSION"
  | "INVALID_NONCE"
  | "INSUFFICIENT_BOUNDS"
  | "INSUFFICIENT_BALANCE"
  | "VALIDATION_FAILED"
  | "NOT_AN_ACCOUNT"
  | "CONSTRUCTOR_FAILED"
  | "CLASS_NOT_FOUND"
  | "CLASS_ALREADY_DECLARED"
  | "COMPILED_CLASS_HASH_MISMATCH"
  | "FEE_CHECK_FAILED"
  | "FEE_TRANSFER_FAILED"
  | "TOO_LARGE"
  /** Exceeds this node's memory limit for one transaction; not a limit of the protocol. */
  | "OUT_OF_MEMORY"
  | "UNSUPPORTED";

/**
 * Rejection of a transaction. `kind` is the reference engine's name of the error, `message` its text.
 * `failure` is its structured form if a call failed.
 */
export interface Rejection {
  readonly code: RejectionCode;
  readonly kind: string;
  readonly message: string;
  readonly failure?: CallFailure;
}
