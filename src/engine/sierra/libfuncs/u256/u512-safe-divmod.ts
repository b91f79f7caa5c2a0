import type { Var } from "../../casm/builder-state.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments, typeArg } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { cellPair, cellQuad, rangeCheckedCode, type RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { nonZeroOf, u256Type, userTypeArg } from "../shared/types.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
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

/** Cells for ten product limbs, and for the cells that only one path uses. */
const RESERVED_CELLS = 12;

/**
 * Quotient and remainder of a 512-bit by a 256-bit integer, with guarantees of the five products of their
 * halves.
 */
export function safeDivmodByU256(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const u256 = u256Type(context);
  const limb = typeArg(context.find("u128"));
  const u512 = context.find("Struct", [
    userTypeArg("core::integer::u512"),
    ...[limb, limb, limb, limb],
  ]);
  const rangeCheck = context.find("RangeCheck");
  const product = simpleOutput(context.find("U128MulGuarantee"));
  const products = [product, product, product, product, product];
  const results = [builtinOutput(rangeCheck), simpleOutput(u512), simpleOutput(u256)];
  return {
    signature: straight(
      [rangeCheck, u512, nonZeroOf(context, u256)],
      [...results, ...products],
      "other",
    ),
    ...steady({ ap: 43, steps: 47, rangeChecks: 12 }),
    build: buildSafeDivmod,
  };
}

function buildSafeDivmod(invocation: InvocationBuilder): CompiledInvocation {
  const code = rangeCheckedCode(invocation, 9);
  const { b, rangeCheck, start } = code;
  const [dividend0, dividend1, dividend2, dividend3] = cellQuad(b, invocation, 1);
  const [divisor0, divisor1] = cellPair(b, invocation, 2);
  const quotient0 = b.tempvar();
  const quotient1 = b.tempvar();
  const quotient2 = b.tempvar();
  const quotient3 = b.tempvar();
  const remainder0 = b.tempvar();
  const remainder1 = b.tempvar();
  const quotient = [quotient0, quotient1, quotient2, quotient3];
  b.hint(
    "Uint512DivModByUint256",
    { dividend0, dividend1, dividend2, dividend3, divisor0, divisor1 },
    { quotient0, quotient1, quotient2, quotient3, remainder0, remainder1 },
  );
  for (const limb of [...quotient, remainder0, remainder1]) rangeChecked(b, rangeCheck, limb);
  const high = b.tempvar(b.difference(divisor1, remainder1));
  b.addAp(RESERVED_CELLS);
  const cells = { high, low: b.tempvar(), lowMinusOne: b.tempvar() };
  requireLess(code, [remainder0, divisor0], cells, false);
  const q0d0 = hintedProduct(b, quotient0, divisor0);
  const q1d0 = hintedProduct(b, quotient1, divisor0);
  const q0d1 = hintedProduct(b, quotient0, divisor1);
  const q1d1 = hintedProduct(b, quotient1, divisor1);
  const q2d0 = hintedProduct(b, quotient2, divisor0);
  const carry0 = tempCarry(b, tempDifference(b, tempSum(b, q0d0.low, remainder0), dividend0));
  requireBit(b, carry0);
  const limb1 = tempSum(b, carry0, q0d0.high, q1d0.low, q0d1.low, remainder1);
  const carry1 = tempCarry(b, tempDifference(b, limb1, dividend1));
  requireUnderFour(code, carry1);
  const limb2 = tempSum(b, carry1, q1d0.high, q0d1.high, q1d1.low, q2d0.low);
  const carry2 = tempCarry(b, tempDifference(b, limb2, dividend2));
  requireUnderFour(code, carry2);
  const highest = highestProduct(code, [quotient2, quotient3], [divisor0, divisor1]);
  const limb3 = tempSum(b, carry2, q2d0.high, q1d1.high);
  b.assertEq(dividend3, b.sum(limb3, highest));
  const products = [q0d0, q0d1, q1d0, q1d1, q2d0].map(guarantee);
  const outputs = [[rangeCheck], quotient, [remainder0, remainder1], ...products];
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs }],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Verifies that a carry is less than 4. */
function requireUnderFour({ b, rangeCheck }: RangeCheckedCode, carry: Var): void {
  rangeChecked(b, rangeCheck, carry);
  rangeChecked(b, rangeCheck, b.tempvar(b.sum(carry, b.constant(RANGE_CHECK_BOUND - 4n))));
}
