import type { GasVector } from "#protocol/versions/index.ts";
import type { ResourceBounds } from "#protocol/chain/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { TransactionContext } from "../transaction/context.ts";
import type { Rejection } from "../transaction/rejection.ts";
import { covers, senderBalance } from "./balance.ts";
import { discountedL1Gas, gasFee } from "./gas-vector.ts";

/**
 * Checks that the bounds allow the minimal gas at current prices. @returns a rejection that names every
 * shortage, or `null`
 */
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

/** Checks that the balance covers the maximum that the bounds allow. @returns a rejection, or `null` */
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
    // The unbalanced parenthesis is part of the reference engine's text.
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

function preValidation(code: Rejection["code"], name: string, message: string): Rejection {
  return {
    code,
    kind: `TransactionPreValidationError.TransactionFeeError.${name}`,
    message,
  };
}
