import type { Felt } from "#base/primitives/index.ts";

/** Outcome of a submission. */
export type SubmitOutcome =
  | {
      readonly kind: "accepted";
      readonly transactionHash: Felt;
      readonly contractAddress?: Felt;
      readonly classHash?: Felt;
    }
  | {
      readonly kind: "rejected";
      readonly code: WriteErrorName;
      readonly reason: string;
      /** Set when the transaction was refused unexamined; there may be room after this time. */
      readonly retryAfterSeconds?: number;
      /** The mempool is full for every sender; says nothing about this one. */
      readonly isNodeFull?: true;
    };

/** Names of the JSON-RPC errors that a submission can cause. */
export type WriteErrorName =
  | "CLASS_HASH_NOT_FOUND"
  | "CLASS_ALREADY_DECLARED"
  | "INVALID_TRANSACTION_NONCE"
  | "INSUFFICIENT_RESOURCES_FOR_VALIDATE"
  | "INSUFFICIENT_ACCOUNT_BALANCE"
  | "VALIDATION_FAILURE"
  | "COMPILATION_FAILED"
  | "CONTRACT_CLASS_SIZE_IS_TOO_LARGE"
  | "NON_ACCOUNT"
  | "DUPLICATE_TX"
  | "COMPILED_CLASS_HASH_MISMATCH"
  | "UNSUPPORTED_TX_VERSION"
  | "UNSUPPORTED_CONTRACT_CLASS_VERSION"
  | "UNEXPECTED_ERROR"
  | "REPLACEMENT_TRANSACTION_UNDERPRICED"
  | "FEE_BELOW_MINIMUM"
  | "INVALID_PROOF";
