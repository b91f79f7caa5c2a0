import type { StateReader } from "#engine/state/index.ts";
import type { TransactionContext } from "../transaction/context.ts";
import type { Rejection } from "../transaction/rejection.ts";
import { covers, senderBalance } from "./balance.ts";
import type { Cost } from "./cost.ts";
import { discountedL1Gas, gasFee } from "./gas-vector.ts";

/** Cost that exceeds the sender's bounds or balance, and the fee charged instead. */
export interface FeeShortage {
  /** Reference engine's name of the error. */
  readonly name: string;
  readonly reason: string;
  readonly recommendedFee: bigint;
}

/** Checks that a cost stays within the bounds. @returns the shortage, or `null` */
export function checkCostWithinBounds(
  context: TransactionContext,
  { gas, fee }: Pick<Cost, "gas" | "fee">,
): FeeShortage | null {
  const { v3, maxFee, prices, tip } = context;
  if (v3 === null) {
    if (fee <= maxFee) return null;
    const reason = `Insufficient max fee: max fee: ${maxFee}, actual fee: ${fee}.`;
    return { name: "MaxFeeExceeded", reason, recommendedFee: maxFee };
  }
  const { l1Gas, l2Gas, l1DataGas } = v3.bounds;
  if (l1DataGas === null) {
    const used = discountedL1Gas(context.block.constants, gas, prices);
    if (used <= l1Gas.maxAmount) return null;
    const charged = { l1Gas: l1Gas.maxAmount, l1DataGas: 0n, l2Gas: 0n };
    return amountExceeded("L1Gas", l1Gas.maxAmount, used, gasFee(charged, prices, tip));
  }
  for (const [name, limit, used] of [
    ["L1Gas", l1Gas.maxAmount, gas.l1Gas],
    ["L2Gas", l2Gas.maxAmount, gas.l2Gas],
    ["L1DataGas", l1DataGas.maxAmount, gas.l1DataGas],
  ] as const) {
    if (used <= limit) continue;
    const charged = {
      l1Gas: min(l1Gas.maxAmount, gas.l1Gas),
      l1DataGas: min(l1DataGas.maxAmount, gas.l1DataGas),
      l2Gas: min(l2Gas.maxAmount, gas.l2Gas),
    };
    return amountExceeded(name, limit, used, gasFee(charged, prices, tip));
  }
  return null;
}

/**
 * Checks that a fee is at most what the bounds allow. Bounds on L1 gas alone limit L2 gas at a fixed rate, so
 * expensive L2 gas can cost more than they allow. The reference engine panics in that case, and no block can
 * contain the transaction.
 */
export function checkFeeWithinBounds(context: TransactionContext, fee: bigint): Rejection | null {
  const { maxPossibleFee } = context;
  if (fee <= maxPossibleFee) return null;
  return {
    code: "FEE_CHECK_FAILED",
    kind: "FeeCheckError.FeeExceedsBounds",
    message: `Actual fee ${fee} exceeded bounds; max possible fee is ${maxPossibleFee}.`,
  };
}

/**
 * Checks that a cost stays within the bounds and can still be paid after execution. @returns the shortage, or
 * `null`
 */
export function checkCost(
  state: StateReader,
  context: TransactionContext,
  cost: Pick<Cost, "gas" | "fee">,
): FeeShortage | null {
  const exceeded = checkCostWithinBounds(context, cost);
  if (exceeded !== null) return exceeded;
  const { fee } = cost;
  const balance = senderBalance(state, context);
  if (covers(balance, fee)) return null;
  const reason =
    `Insufficient fee token balance. Fee: ${fee}, ` +
    `balance: low/high ${balance.low}/${balance.high}.`;
  // The balance covered the bounds before execution, and execution is now reverted.
  return { name: "InsufficientFeeTokenBalance", reason, recommendedFee: fee };
}

function amountExceeded(
  resource: string,
  limit: bigint,
  used: bigint,
  recommendedFee: bigint,
): FeeShortage {
  const reason = `Insufficient max ${resource}: max amount: ${limit}, actual used: ${used}.`;
  return { name: "MaxGasAmountExceeded", reason, recommendedFee };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
