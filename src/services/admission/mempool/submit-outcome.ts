import type { Felt } from "#base/primitives/index.ts";

/** What became of a submitted transaction. */
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
      /** The transaction was not looked at; after this time there may be room for it. */
      readonly retryAfterSeconds?: number;
      /** The mempool has no room for anybody, which says nothing of who sent it. */
      readonly isNodeFull?: true;
    };

/** Errors that the way into the mempool can give. */
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
