import { invariant } from "#base/errors/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { Var } from "../../casm/builder-state.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, straight, tempOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { cellArgument, rangeCheckedCode, type RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { nonZeroOf } from "../shared/types.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/**
 * Way to divide integers in Cairo code, named after the reason why `quotient * divisor + remainder`
 * cannot exceed the field's prime.
 */
export type DivRemAlgorithm =
  /** The divisor is small enough for any 128-bit quotient. */
  | { readonly kind: "small_divisor" }
  /** The quotient is less than `bound`, which is small enough for any 128-bit divisor. */
  | { readonly kind: "small_quotient"; readonly bound: bigint }
  /** The smaller of quotient and divisor is less than `bound`, the dividend's root. */
  | { readonly kind: "small_dividend"; readonly bound: bigint };

/**
 * Selects the algorithm for dividing integers of two ranges. The dividend must not be negative. The divisor
 * must be positive, though its range may start at 0.
 *
 * @returns `undefined` when no algorithm applies
 */
export function divRemAlgorithm(
  dividend: IntegerRange,
  divisor: IntegerRange,
): DivRemAlgorithm | undefined {
  const maxQuotient = (dividend.upper - 1n) / (divisor.lower > 1n ? divisor.lower : 1n);
  if (maxQuotient >= RANGE_CHECK_BOUND || divisor.upper > RANGE_CHECK_BOUND + 1n) return undefined;
  if (isFarFromPrime(divisor.upper)) return { kind: "small_divisor" };
  if (isFarFromPrime(maxQuotient + 1n)) return { kind: "small_quotient", bound: maxQuotient + 1n };
  const bound = rootRoundedUp(dividend.upper);
  return isFarFromPrime(bound) ? { kind: "small_dividend", bound } : undefined;
}

/** Whether the product with a 128-bit number is less than the prime. */
function isFarFromPrime(value: bigint): boolean {
  return value * RANGE_CHECK_BOUND < FIELD_PRIME;
}

/** Smallest integer whose square is at least `value`. */
function rootRoundedUp(value: bigint): bigint {
  let low = 0n;
  let high = value;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (middle * middle < value) low = middle + 1n;
    else high = middle;
  }
  return low;
}

/** Returns the `ap` change and the cost of a division's code. */
export function divRemTables({ kind }: DivRemAlgorithm): Pick<Libfunc, "apChanges" | "costs"> {
  switch (kind) {
    case "small_divisor":
      return steady({ ap: 5, steps: 7, rangeChecks: 3 });
    case "small_quotient":
      return steady({ ap: 6, steps: 9, rangeChecks: 4 });
    case "small_dividend":
      return steady({ ap: 7, steps: 11, rangeChecks: 4 });
  }
}

/** Quotient and remainder of unsigned integers of a type with `limit` values. */
export function safeDivmod(genericId: string, limit: bigint): Specialize {
  const algorithm = divRemAlgorithm({ lower: 0n, upper: limit }, { lower: 1n, upper: limit });
  invariant(algorithm !== undefined, "integers of at most 128 bits can be divided");
  return (context, args) => {
    noArguments(args);
    const rangeCheck = context.find("RangeCheck");
    const type = context.find(genericId);
    const params = [rangeCheck, type, nonZeroOf(context, type)];
    const outputs = [builtinOutput(rangeCheck), tempOutput(type, 0), tempOutput(type, 1)];
    return {
      signature: straight(params, outputs, "other"),
      ...divRemTables(algorithm),
      build: (invocation) => buildDivRem(invocation, algorithm),
    };
  };
}

/** Emits a division; takes a range check pointer, the dividend and the divisor. */
export function buildDivRem(
  invocation: InvocationBuilder,
  algorithm: DivRemAlgorithm,
): CompiledInvocation {
  const { kind } = algorithm;
  const code = rangeCheckedCode(invocation, kind === "small_divisor" ? 2 : 3);
  const { b, rangeCheck, start } = code;
  const dividend = cellArgument(b, invocation, 1);
  const divisor = cellArgument(b, invocation, 2);
  const next = b.tempvar();
  const rest = b.tempvar();
  const isSmall = kind === "small_dividend" ? b.tempvar() : undefined;
  const bounded = kind === "small_divisor" ? undefined : b.tempvar();
  const product = b.tempvar();
  const quotient = b.tempvar();
  const remainder = b.tempvar();
  b.hint("DivMod", { lhs: dividend, rhs: divisor }, { quotient, remainder });
  if (kind !== "small_divisor") rangeChecked(b, rangeCheck, quotient);
  rangeChecked(b, rangeCheck, remainder);
  // Verifies that the remainder is less than the divisor.
  b.assertEq(next, b.sum(remainder, b.constant(1)));
  b.assertEq(rest, b.difference(divisor, next));
  rangeChecked(b, rangeCheck, rest);
  if (kind === "small_divisor") rangeChecked(b, rangeCheck, quotient);
  else if (bounded !== undefined) {
    boundFactor(code, quotient, divisor, algorithm.bound, bounded, isSmall);
  }
  b.assertEq(product, b.product(divisor, quotient));
  b.assertEq(dividend, b.sum(product, remainder));
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[rangeCheck], [quotient], [remainder]] }],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Verifies that the quotient is less than `bound`; if `isSmall` is a cell, the quotient or the divisor. */
function boundFactor(
  { b, rangeCheck }: RangeCheckedCode,
  quotient: Var,
  divisor: Var,
  bound: bigint,
  bounded: Var,
  isSmall: Var | undefined,
): void {
  const shift = b.constant(RANGE_CHECK_BOUND - bound);
  if (isSmall === undefined) b.assertEq(bounded, b.sum(quotient, shift));
  else {
    b.hint("TestLessThan", { lhs: quotient, rhs: b.constant(bound) }, { dst: isSmall });
    b.jumpNz(isSmall, "QuotientIsSmall");
    b.assertEq(bounded, b.sum(divisor, shift));
    b.jump("Verify");
    b.label("QuotientIsSmall");
    b.assertEq(bounded, b.sum(quotient, shift));
    b.label("Verify");
  }
  rangeChecked(b, rangeCheck, bounded);
}
