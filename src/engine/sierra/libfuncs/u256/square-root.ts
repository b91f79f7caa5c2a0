import type { Var } from "../../casm/builder-state.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { cellPair, rangeCheckedCode, type RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { u256Type } from "../shared/types.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import { type Halves, requireBit, U64_BOUND } from "./division.ts";

/** Exclusive bound of the sum of two 64-bit limbs. */
const LIMB_SUM_BOUND = 2n ** 65n;

/** Specializes `u256_sqrt`: the square root of a 256-bit integer, rounded down. */
export function squareRoot(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const rangeCheck = context.find("RangeCheck");
  const outputs = [builtinOutput(rangeCheck), simpleOutput(context.find("u128"))];
  return {
    signature: straight([rangeCheck, u256Type(context)], outputs, "other"),
    ...steady({ ap: 25, steps: 30, rangeChecks: 7 }),
    build: buildSquareRoot,
  };
}

/**
 * Cells filled by a hint: limbs of the root, limbs of the remainder, and whether `2 * root - left` needs more
 * than 128 bits.
 */
interface HintedRoot {
  readonly root: Halves;
  readonly left: Halves;
  readonly isWide: Var;
}

function buildSquareRoot(invocation: InvocationBuilder): CompiledInvocation {
  const code = rangeCheckedCode(invocation, 6);
  const { b, rangeCheck, start } = code;
  const value = cellPair(b, invocation, 1);
  const hinted = hintedRoot(code, value);
  requireSquare(code, value, hinted);
  const root = requireLargestRoot(code, hinted);
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[rangeCheck], [root]] }],
    rangeChecksBetween(start, rangeCheck),
  );
}

function hintedRoot({ b, rangeCheck }: RangeCheckedCode, value: Halves): HintedRoot {
  const [value_low, value_high] = value;
  const sqrt0 = b.tempvar();
  const sqrt1 = b.tempvar();
  const remainder_low = b.tempvar();
  const remainder_high = b.tempvar();
  const sqrt_mul_2_minus_remainder_ge_u128 = b.tempvar();
  b.hint(
    "Uint256SquareRoot",
    { value_low, value_high },
    { sqrt0, sqrt1, remainder_low, remainder_high, sqrt_mul_2_minus_remainder_ge_u128 },
  );
  rangeChecked(b, rangeCheck, sqrt0);
  rangeChecked(b, rangeCheck, sqrt1);
  const sum = b.tempvar(b.sum(sqrt0, sqrt1));
  const fixed = b.tempvar(b.sum(sum, b.constant(RANGE_CHECK_BOUND - LIMB_SUM_BOUND)));
  rangeChecked(b, rangeCheck, fixed);
  // The remainder is at most twice the root: below 2^129.
  rangeChecked(b, rangeCheck, remainder_low);
  requireBit(b, remainder_high);
  return {
    root: [sqrt0, sqrt1],
    left: [remainder_low, remainder_high],
    isWide: sqrt_mul_2_minus_remainder_ge_u128,
  };
}

/**
 * Verifies `root^2 + left = value` in 64-bit limbs; each limb is divided by 2^64 to carry into the next one.
 */
function requireSquare(
  { b, rangeCheck }: RangeCheckedCode,
  [valueLow, valueHigh]: Halves,
  { root: [root0, root1], left: [leftLow, leftHigh] }: HintedRoot,
): void {
  const limb = b.constant(U64_BOUND);
  const square0 = b.tempvar(b.product(root0, root0));
  const total0 = b.tempvar(b.sum(leftLow, square0));
  const limb0 = b.tempvar(b.difference(total0, valueLow));
  const carry0 = b.tempvar(b.quotient(limb0, limb));
  // The carry may be negative.
  rangeChecked(b, rangeCheck, b.tempvar(b.sum(carry0, b.constant(RANGE_CHECK_BOUND / 2n))));
  const product = b.tempvar(b.product(root0, root1));
  const total1 = b.tempvar(b.sum(carry0, product));
  const limb1 = b.tempvar(b.sum(total1, product));
  const carry1 = b.tempvar(b.quotient(limb1, limb));
  rangeChecked(b, rangeCheck, carry1);
  const total2 = b.tempvar(b.sum(carry1, leftHigh));
  const square1 = b.tempvar(b.product(root1, root1));
  b.assertEq(valueHigh, b.sum(total2, square1));
}

/** Verifies that the next integer's square exceeds the value: `left <= 2 * root`. @returns the root */
function requireLargestRoot(
  { b, rangeCheck }: RangeCheckedCode,
  { root: [root0, root1], left: [leftLow, leftHigh], isWide }: HintedRoot,
): Var {
  const wide = b.constant(RANGE_CHECK_BOUND);
  const shifted = b.tempvar(b.product(root1, b.constant(U64_BOUND)));
  const root = b.tempvar(b.sum(root0, shifted));
  const shiftedLeft = b.tempvar(b.product(leftHigh, wide));
  const left = b.tempvar(b.sum(leftLow, shiftedLeft));
  const twice = b.tempvar(b.sum(root, root));
  const difference = b.tempvar(b.difference(twice, left));
  const reduced = b.tempvar();
  b.jumpNz(isWide, "IsWide");
  rangeChecked(b, rangeCheck, difference);
  b.jump("Done");
  b.label("IsWide");
  b.assertEq(reduced, b.difference(difference, wide));
  rangeChecked(b, rangeCheck, reduced);
  b.label("Done");
  return root;
}
