import type { GasVector } from "#protocol/versions/index.ts";
import type { ResourceBounds } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { TransactionContext } from "../transaction/context.ts";
import type { Rejection } from "../types.ts";
import { discountedL1Gas, gasFee } from "./gas-vector.ts";
import { balanceHighKey, balanceKey, type Cost } from "./receipt.ts";

/** An account's balance in the fee token, as the token stores it. */
export interface Balance {
  readonly low: Felt;
  readonly high: Felt;
}

/** Reads the sender's balance from the token's storage. */
export function senderBalance(state: StateReader, context: TransactionContext): Balance {
  const { feeToken, senderAddress } = context;
  return {
    low: state.storageAt(feeToken, balanceKey(senderAddress)),
    high: state.storageAt(feeToken, balanceHighKey(senderAddress)),
  };
}

function covers(balance: Balance, fee: bigint): boolean {
  return balance.high > 0n || balance.low >= fee;
}

function preValidation(code: Rejection["code"], name: string, message: string): Rejection {
  return {
    code,
    kind: `TransactionPreValidationError.TransactionFeeError.${name}`,
    message,
  };
}

/** Whether the bounds allow the minimal gas at current prices; every shortage is named. */
export function checkBounds(context: TransactionContext, minimal: GasVector): Rejection | null {
  const { v3, prices, maxFee, tip } = context;
  if (v3 === null) {
    const minFee = gasFee(minimal, prices, tip);
    if (maxFee >= minFee) return null;
    const message = `Max fee (${maxFee}) is too low. Minimum fee: ${minFee}.`;
    return preValidation("INSUFFICIENT_BOUNDS", "MaxFeeTooLow", message);
  }
  const { l1Gas, l2Gas, l1DataGas } = v3.bounds;
  const constants = context.block.constants;
  const checks =
    l1DataGas === null
      ? [
          {
            name: "L1Gas",
            bound: l1Gas,
            amount: discountedL1Gas(constants, minimal, prices),
            price: prices.l1Gas,
          },
        ]
      : [
          { name: "L1Gas", bound: l1Gas, amount: minimal.l1Gas, price: prices.l1Gas },
          {
            name: "L1DataGas",
            bound: l1DataGas,
            amount: minimal.l1DataGas,
            price: prices.l1DataGas,
          },
          { name: "L2Gas", bound: l2Gas, amount: minimal.l2Gas, price: prices.l2Gas },
        ];
  const errors: string[] = [];
  for (const { name, bound, amount, price } of checks) {
    if (amount > bound.maxAmount) {
      errors.push(
        `Max ${name} amount (${bound.maxAmount}) is lower than the minimal gas amount: ${amount}.`,
      );
    }
    if (bound.maxPricePerUnit < price) {
      errors.push(
        `Max ${name} price (${bound.maxPricePerUnit}) is lower than the actual gas price: ${price}.`,
      );
    }
  }
  if (errors.length === 0) return null;
  const message = `Resource bounds were not satisfied: ${errors.join("\n")}`;
  return preValidation("INSUFFICIENT_BOUNDS", "InsufficientResourceBounds", message);
}

/** Whether the balance covers all that the bounds allow. */
export function checkBalance(state: StateReader, context: TransactionContext): Rejection | null {
  const balance = senderBalance(state, context);
  if (covers(balance, context.maxPossibleFee)) return null;
  const amount = (balance.high << 128n) + balance.low;
  const { v3, maxFee } = context;
  if (v3 === null) {
    const message = `Max fee (${maxFee}) exceeds balance (${amount}).`;
    return preValidation("INSUFFICIENT_BALANCE", "MaxFeeExceedsBalance", message);
  }
  const { bounds } = v3;
  if (bounds.l1DataGas === null) {
    // The unbalanced bracket is part of the reference engine's text.
    const message =
      `Resource L1Gas bounds (max amount: ${bounds.l1Gas.maxAmount}, ` +
      `max price): ${bounds.l1Gas.maxPricePerUnit}) exceed balance (${amount}).`;
    return preValidation("INSUFFICIENT_BALANCE", "GasBoundsExceedBalance", message);
  }
  const message = `Resources bounds (${boundsText(bounds)}) exceed balance (${amount}).`;
  return preValidation("INSUFFICIENT_BALANCE", "ResourcesBoundsExceedBalance", message);
}

function boundsText({ l1Gas, l2Gas, l1DataGas }: ResourceBounds): string {
  const text = (bound: ResourceBounds["l1Gas"] | null): string =>
    `{ max_amount: ${bound?.maxAmount ?? 0n}, max_price_per_unit: ${bound?.maxPricePerUnit ?? 0n} }`;
  return `{ l1_gas: ${text(l1Gas)}, l2_gas: ${text(l2Gas)}, l1_data_gas: ${text(l1DataGas)} }`;
}

/** A cost that the sender's bounds or balance do not cover, and what is charged instead. */
export interface FeeShortage {
  /** Name of the error in the reference engine. */
  readonly name: string;
  readonly reason: string;
  readonly recommendedFee: bigint;
}

/** Whether a cost stays within the bounds. */
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
  for (const [name, most, used] of [
    ["L1Gas", l1Gas.maxAmount, gas.l1Gas],
    ["L2Gas", l2Gas.maxAmount, gas.l2Gas],
    ["L1DataGas", l1DataGas.maxAmount, gas.l1DataGas],
  ] as const) {
    if (used <= most) continue;
    const charged = {
      l1Gas: min(l1Gas.maxAmount, gas.l1Gas),
      l1DataGas: min(l1DataGas.maxAmount, gas.l1DataGas),
      l2Gas: min(l2Gas.maxAmount, gas.l2Gas),
    };
    return amountExceeded(name, most, used, gasFee(charged, prices, tip));
  }
  return null;
}

/**
 * Whether a fee is at most what the bounds allow. Bounds on L1 gas alone limit L2 gas at a fixed rate,
 * so that a dear L2 gas costs more than they allow: the reference engine panics there, and no block
 * can hold the transaction.
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

/** Whether a cost stays within the bounds and can still be paid after execution. */
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
  // The bounds could be paid before execution, which is undone now.
  return { name: "InsufficientFeeTokenBalance", reason, recommendedFee: fee };
}

function amountExceeded(
  resource: string,
  most: bigint,
  used: bigint,
  recommendedFee: bigint,
): FeeShortage {
  const reason = `Insufficient max ${resource}: max amount: ${most}, actual used: ${used}.`;
  return { name: "MaxGasAmountExceeded", reason, recommendedFee };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
