import type { FeeUnit, HashedTransaction, Receipt, StateDiff } from "#protocol/chain/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import type { FailedCalls } from "../call/failed-calls.ts";
import type { CallInfo } from "../call/info.ts";
import type { TransactionResources } from "../fee/transaction-resources.ts";
import { sumResources } from "../resources.ts";
import type { Rejection } from "../transaction/rejection.ts";
import type { Executed } from "../transaction/run.ts";
import type { BlockContext } from "./context.ts";
import { callsInOrder, emittedEvents, sentMessages } from "./emissions.ts";
import { type BouncerWeights, weightsText } from "./weights.ts";

/** All execution results of an included transaction; the source of traces. */
export interface TransactionExecutionInfo {
  readonly validate: CallInfo | null;
  /** For DEPLOY_ACCOUNT: the constructor call; `null` after a revert. */
  readonly execute: CallInfo | null;
  readonly feeTransfer: CallInfo | null;
  readonly revertReason: string | null;
  /** Calls of a reverted execution; `null` without one, or when calls are not recorded. */
  readonly reverted: FailedCalls | null;
  readonly resources: TransactionResources;
  readonly gas: GasVector;
  readonly daGas: GasVector;
  readonly actualFee: bigint;
  readonly feeUnit: FeeUnit;
  readonly weights: BouncerWeights;
  readonly stateDiff: StateDiff;
}

/** Outcome of executing one transaction; only `included` changes the state. */
export type TransactionOutcome =
  | {
      readonly kind: "included";
      readonly receipt: Receipt;
      readonly info: TransactionExecutionInfo;
    }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "block_full" }
  | { readonly kind: "cancelled" };

/** Assembles the execution results of an included transaction. */
export function executionInfo(
  result: Executed,
  weights: BouncerWeights,
  stateDiff: StateDiff,
): TransactionExecutionInfo {
  const { validate, execute, feeTransfer, revertReason, reverted = null, cost, context } = result;
  return {
    validate,
    execute,
    feeTransfer,
    revertReason,
    reverted,
    resources: cost.resources,
    gas: cost.gas,
    daGas: cost.daGas,
    actualFee: cost.fee,
    feeUnit: context.feeUnit,
    weights,
    stateDiff,
  };
}

/** Builds the receipt of an included transaction. */
export function receiptOf({ hash, transaction }: HashedTransaction, result: Executed): Receipt {
  const { cost, context, revertReason } = result;
  const calls = callsInOrder(transaction.type === "DEPLOY_ACCOUNT", result);
  return {
    transactionHash: hash,
    actualFee: cost.fee,
    feeUnit: context.feeUnit,
    events: emittedEvents(calls),
    messages: sentMessages(calls),
    status:
      revertReason === null ? { kind: "succeeded" } : { kind: "reverted", reason: revertReason },
    gas: cost.gas,
    daGas: cost.daGas,
    vmResources: sumResources(cost.resources.transaction, cost.resources.os),
  };
}

/**
 * Creates the outcome of a transaction that does not fit even in an empty block: a rejection that
 * shows the block's limits and the transaction's weights.
 */
export function rejectedAsTooLarge(
  block: BlockContext,
  weights: BouncerWeights,
): TransactionOutcome {
  const message =
    "Transaction size exceeds the maximum block capacity. Max block capacity: " +
    `${weightsText(block.bouncer.limits)}, transaction size: ${weightsText(weights)}.`;
  return { kind: "rejected", error: { code: "TOO_LARGE", kind: "TransactionTooLarge", message } };
}
