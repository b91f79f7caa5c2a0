import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { cellPair, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { nonZeroOf, u256Type } from "../shared/types.ts";
import {
  guarantee,
  highestProduct,
  hintedProduct,
  requireBit,
  requireLess,
  tempCarry,
  tempDifference,
  tempSum,
} from "./division.ts";

/** Quotient and remainder of 256-bit integers, with a guarantee for the product of their low halves. */
export function safeDivmod(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const u256 = u256Type(context);
  const rangeCheck = context.find("RangeCheck");
  const params = [rangeCheck, u256, nonZeroOf(context, u256)];
  const result = simpleOutput(u256);
  const product = simpleOutput(context.find("U128MulGuarantee"));
  return {
    signature: straight(params, [builtinOutput(rangeCheck), result, result, product], "other"),
    ...steady({ ap: 19, steps: 26, rangeChecks: 6 }),
    build: buildSafeDivmod,
  };
}

function buildSafeDivmod(invocation: InvocationBuilder): CompiledInvocation {
  const code = rangeCheckedCode(invocation, 5);
  const { b, rangeCheck, start } = code;
  const [dividend0, dividend1] = cellPair(b, invocation, 1);
  const [divisor0, divisor1] = cellPair(b, invocation, 2);
  const quotient0 = b.tempvar();
  const quotient1 = b.tempvar();
  const remainder0 = b.tempvar();
  const remainder1 = b.tempvar();
  b.hint(
    "Uint256DivMod",
    { dividend0, dividend1, divisor0, divisor1 },
    { quotient0, quotient1, remainder0, remainder1 },
  );
  for (const limb of [quotient0, quotient1, remainder0, remainder1]) {
    rangeChecked(b, rangeCheck, limb);
  }
  const high = b.tempvar(b.difference(divisor1, remainder1));
  const cells = { high, low: b.tempvar(), lowMinusOne: b.tempvar() };
  requireLess(code, [remainder0, divisor0], cells, true);
  const product = hintedProduct(b, quotient0, divisor0);
  const limb0 = tempDifference(b, tempSum(b, product.low, remainder0), dividend0);
  const carry = tempCarry(b, limb0);
  requireBit(b, carry);
  const highest = highestProduct(code, [quotient0, quotient1], [divisor0, divisor1]);
  const limb1 = tempSum(b, carry, product.high, remainder1);
  b.assertEq(dividend1, b.sum(limb1, highest));
  const results = [
    [quotient0, quotient1],
    [remainder0, remainder1],
  ];
  const outputs = [[rangeCheck], ...results, guarantee(product)];
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs }],
    rangeChecksBetween(start, rangeCheck),
  );
}
