import type { AccountTransaction, ResourceBounds } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Rejection } from "#engine/execution/index.ts";
import { isFree } from "./free-transactions.ts";
import type { AddRefusal } from "./mempool/index.ts";
import type { SubmitOutcome } from "./mempool/index.ts";

/** Refusal of a submission: JSON-RPC error name, and the reason for its `data`. */
export type Refusal = Extract<SubmitOutcome, { kind: "rejected" }>;

/** Limits on one transaction; from the protocol's gateway limits. */
export interface StatelessLimits {
  readonly maxCalldataLength: number;
  readonly chargeFees: boolean;
  /** Whether zero-fee transactions may be accepted on a chain that charges fees; see `isFree`. */
  readonly takesFree: boolean;
  /** Whether transactions with a single `max_fee` are accepted, too; see {@link hasMaxFee}. */
  readonly maxFeeTransactions: boolean;
}

/** Maximum signature length in felts; the same as the public gateways'. */
const MAX_SIGNATURE_LENGTH = 4000;

function refuse(code: Refusal["code"], reason: string): Refusal {
  return { kind: "rejected", code, reason };
}

/** A refusal because the mempool has no room for any sender. */
function refuseFull(reason: string): Refusal {
  return { ...refuse("UNEXPECTED_ERROR", reason), isNodeFull: true };
}

function allBoundsZero({ l1Gas, l2Gas, l1DataGas }: ResourceBounds): boolean {
  return [l1Gas, l2Gas, l1DataGas].every(
    (bound) => bound === null || bound.maxAmount * bound.maxPricePerUnit === 0n,
  );
}

/**
 * Whether this is a `max_fee` transaction that clients can send: invoke 1, deploy account 1, declare 1 or 2.
 * Version 0 only occurs in blocks of other nodes.
 */
function hasMaxFee({ type, version }: AccountTransaction): boolean {
  return version === 1 || (type === "DECLARE" && version === 2);
}

/**
 * Checks the fields of a submitted transaction that can be judged without the state, such as its
 * calldata length.
 *
 * @returns the refusal; `undefined` when the transaction passes
 */
export function statelessRefusal(
  transaction: AccountTransaction,
  limits: StatelessLimits,
): Refusal | undefined {
  if (transaction.version !== 3 && !(limits.maxFeeTransactions && hasMaxFee(transaction))) {
    return refuse(
      "UNSUPPORTED_TX_VERSION",
      `version ${transaction.version} is not accepted: send version 3`,
    );
  }
  const fields =
    transaction.version === 3
      ? v3Refusal(transaction, limits)
      : limits.chargeFees && transaction.maxFee === 0n
        ? refuse("INSUFFICIENT_RESOURCES_FOR_VALIDATE", "max_fee is zero: it must allow a fee")
        : undefined;
  if (fields !== undefined) return fields;
  if (transaction.type === "DEPLOY_ACCOUNT" && transaction.nonce !== 0n) {
    return refuse(
      "INVALID_TRANSACTION_NONCE",
      `a deploy account transaction must have nonce 0, this one has ${transaction.nonce}`,
    );
  }
  const calldata = calldataOf(transaction);
  if (calldata.length > limits.maxCalldataLength) {
    return refuse(
      "UNEXPECTED_ERROR",
      `calldata has ${calldata.length} felts, at most ${limits.maxCalldataLength} are accepted`,
    );
  }
  if (transaction.signature.length > MAX_SIGNATURE_LENGTH) {
    return refuse(
      "UNEXPECTED_ERROR",
      `the signature has ${transaction.signature.length} felts, at most ${MAX_SIGNATURE_LENGTH} are accepted`,
    );
  }
  return undefined;
}

/** Checks the fields that only version 3 has. */
function v3Refusal(
  transaction: Extract<AccountTransaction, { readonly version: 3 }>,
  limits: StatelessLimits,
): Refusal | undefined {
  const mayBeFree = limits.takesFree && isFree(transaction);
  if (limits.chargeFees && !mayBeFree && allBoundsZero(transaction.resourceBounds)) {
    return refuse(
      "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
      "all resource bounds are zero: at least one must allow a fee",
    );
  }
  if (transaction.nonceDataAvailabilityMode !== 0 || transaction.feeDataAvailabilityMode !== 0) {
    return refuse("UNEXPECTED_ERROR", "data availability mode L2 is not supported: use L1");
  }
  if (transaction.paymasterData.length > 0) {
    return refuse("UNEXPECTED_ERROR", "paymaster_data must be empty");
  }
  if (transaction.type !== "DEPLOY_ACCOUNT" && transaction.accountDeploymentData.length > 0) {
    return refuse("UNEXPECTED_ERROR", "account_deployment_data must be empty");
  }
  if (transaction.type === "INVOKE" && transaction.proofFacts.length > 0) {
    return refuse("INVALID_PROOF", "proofs are not supported");
  }
  return undefined;
}

function calldataOf(transaction: AccountTransaction): readonly Felt[] {
  switch (transaction.type) {
    case "INVOKE":
      return transaction.calldata;
    case "DEPLOY_ACCOUNT":
      return transaction.constructorCalldata;
    case "DECLARE":
      return [];
  }
}

/**
 * Converts the engine's rejection of a transaction at validation to the JSON-RPC error for the
 * client.
 */
export function refusalOf(rejection: Rejection): Refusal {
  const { code, message } = rejection;
  switch (code) {
    case "INVALID_NONCE":
      return refuse("INVALID_TRANSACTION_NONCE", message);
    case "INSUFFICIENT_BOUNDS":
    case "FEE_CHECK_FAILED":
      return refuse("INSUFFICIENT_RESOURCES_FOR_VALIDATE", message);
    case "INSUFFICIENT_BALANCE":
      return refuse("INSUFFICIENT_ACCOUNT_BALANCE", message);
    case "VALIDATION_FAILED":
    case "CONSTRUCTOR_FAILED":
    case "FEE_TRANSFER_FAILED":
      return refuse("VALIDATION_FAILURE", message);
    case "NOT_AN_ACCOUNT":
      return refuse("NON_ACCOUNT", message);
    case "CLASS_NOT_FOUND":
      return refuse("CLASS_HASH_NOT_FOUND", message);
    case "CLASS_ALREADY_DECLARED":
      return refuse("CLASS_ALREADY_DECLARED", message);
    case "COMPILED_CLASS_HASH_MISMATCH":
      return refuse("COMPILED_CLASS_HASH_MISMATCH", message);
    case "INVALID_VERSION":
      return refuse("UNSUPPORTED_TX_VERSION", message);
    case "OUT_OF_MEMORY":
    case "TOO_LARGE":
    case "UNSUPPORTED":
      return refuse("UNEXPECTED_ERROR", message);
  }
}

/** Returns the JSON-RPC error for a submission whose transaction is already in a block. */
export function includedRefusal(blockNumber: number, isAccepted: boolean): Refusal {
  return refuse(
    "DUPLICATE_TX",
    `the transaction is already in block ${blockNumber}${isAccepted ? "" : ", which is being built"}`,
  );
}

/**
 * Returns the JSON-RPC error for a submission that the mempool refuses; `nonce` is that of the
 * submission.
 */
export function mempoolRefusal(outcome: AddRefusal, nonce: bigint): Refusal {
  switch (outcome.kind) {
    case "duplicate":
      return refuse("DUPLICATE_TX", "the transaction is already in the mempool");
    case "nonce_too_low":
      return refuse(
        "INVALID_TRANSACTION_NONCE",
        `the account's nonce is ${outcome.expected}, the transaction has ${nonce}`,
      );
    case "future_declare":
      return refuse(
        "INVALID_TRANSACTION_NONCE",
        `a declare must have the next nonce ${outcome.expected}, this one has ${nonce}`,
      );
    case "underpriced":
      return refuse(
        "REPLACEMENT_TRANSACTION_UNDERPRICED",
        `a transaction with nonce ${nonce} is already waiting: replacing it requires a tip of at least ${outcome.required.tip} and a maximum L2 gas price of at least ${outcome.required.maxL2GasPrice}, one of them higher than its own`,
      );
    case "in_flight":
      return refuse(
        "INVALID_TRANSACTION_NONCE",
        `a transaction with nonce ${nonce} is being executed`,
      );
    case "nonce_too_high":
      return refuse(
        "INVALID_TRANSACTION_NONCE",
        `the transaction has nonce ${nonce}, but the account can currently use at most nonce ${outcome.highest}`,
      );
    case "account_full":
      return refuse(
        "UNEXPECTED_ERROR",
        `the account already has ${outcome.limit} transactions in the mempool, which is the limit`,
      );
    case "account_bytes_full":
      return refuse(
        "UNEXPECTED_ERROR",
        `with this transaction the account would exceed its limit of ${outcome.limit} bytes in the mempool`,
      );
    case "declares_full":
      return refuseFull(
        `the mempool already holds ${outcome.limit} declare transactions, which is the limit`,
      );
    case "full":
      return refuseFull(`the mempool is full: it holds ${outcome.limit} transactions`);
    case "bytes_full":
      return refuseFull(
        `the mempool is full: with this transaction it would hold more than ${outcome.limit} bytes`,
      );
  }
}

/** Refusal of a declaration submitted without its class. */
export const WITHOUT_CLASS = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "a declaration must include its class",
} as const;
