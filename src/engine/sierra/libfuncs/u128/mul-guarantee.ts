import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, simpleOutput, straight, tempOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { cellQuad, rangeCheckedCode, type RangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

const U64_BOUND = 2n ** 64n;

/** Bound of the part of the product above its low 128 bits: the product is below 2^193. */
const CARRY_BOUND = 2n ** 65n;

/** Returns the high and low halves of a product, with a guarantee that must be verified later. */
export function guaranteeMul(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const u128 = context.find("u128");
  const guarantee = simpleOutput(context.find("U128MulGuarantee"));
  const outputs = [tempOutput(u128, 0), tempOutput(u128, 1), guarantee];
  return {
    signature: straight([u128, u128], outputs, "new_vars_only"),
    ...steady({ ap: 2, steps: 1 }),
    build: buildGuaranteeMul,
  };
}

function buildGuaranteeMul(invocation: InvocationBuilder): CompiledInvocation {
  const [left, right] = invocation.singles();
  const b = new CasmBuilder();
  const lhs = derefInput(b, left);
  const rhs = derefInput(b, right);
  const high = b.tempvar();
  const low = b.tempvar();
  b.hint("WideMul128", { lhs, rhs }, { high, low });
  b.addAp(2);
  const outputs = [[high], [low], [lhs, rhs, high, low]];
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs }]);
}

/** Verifies that a guarantee `[lhs, rhs, high, low]` satisfies `lhs * rhs = high * 2^128 + low`. */
export function mulGuaranteeVerify(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const rangeCheck = context.find("RangeCheck");
  const params = [rangeCheck, context.find("U128MulGuarantee")];
  return {
    signature: straight(params, [builtinOutput(rangeCheck)], "other"),
    ...steady({ ap: 15, steps: 23, rangeChecks: 9 }),
    build: buildVerify,
  };
}

function buildVerify(invocation: InvocationBuilder): CompiledInvocation {
  const code = rangeCheckedCode(invocation, 8);
  const { b, rangeCheck, start } = code;
  const [lhs, rhs, high, low] = cellQuad(b, invocation, 1);
  const u64Bound = b.constant(U64_BOUND);
  const lhsLow = b.tempvar();
  const lhsHigh = b.tempvar();
  splitAt64(code, lhs, lhsHigh, lhsLow);
  // Products of 64 and 128 bits, which stay below the prime.
  const lowProduct = b.tempvar(b.product(lhsLow, rhs));
  const highProduct = b.tempvar(b.product(lhsHigh, rhs));
  const upper = b.tempvar();
  const middle = b.tempvar();
  splitAt64(code, highProduct, upper, middle);
  const shiftedMiddle = b.tempvar(b.product(middle, u64Bound));
  const carry = b.tempvar();
  const fixedCarry = b.tempvar();
  const shiftedCarry = b.tempvar();
  const lower = b.tempvar();
  b.assertEq(lower, b.sum(lowProduct, shiftedMiddle));
  const u128Bound = b.constant(RANGE_CHECK_BOUND);
  b.hint("DivMod", { lhs: lower, rhs: u128Bound }, { quotient: carry, remainder: low });
  b.assertEq(fixedCarry, b.sum(carry, b.constant(RANGE_CHECK_BOUND - CARRY_BOUND)));
  rangeChecked(b, rangeCheck, fixedCarry);
  rangeChecked(b, rangeCheck, carry);
  rangeChecked(b, rangeCheck, low);
  b.assertEq(shiftedCarry, b.product(carry, u128Bound));
  b.assertEq(lower, b.sum(shiftedCarry, low));
  b.assertEq(high, b.sum(upper, carry));
  const outputs = [[rangeCheck]];
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs }],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Writes `value` as `high * 2^64 + low`, where `low` has 64 bits and `high` 128. */
function splitAt64({ b, rangeCheck }: RangeCheckedCode, value: Var, high: Var, low: Var): void {
  const bound = b.constant(U64_BOUND);
  b.hint("DivMod", { lhs: value, rhs: bound }, { quotient: high, remainder: low });
  const fixed = b.tempvar(b.sum(low, b.constant(RANGE_CHECK_BOUND - U64_BOUND)));
  rangeChecked(b, rangeCheck, fixed);
  rangeChecked(b, rangeCheck, low);
  rangeChecked(b, rangeCheck, high);
  const shifted = b.tempvar(b.product(high, bound));
  b.assertEq(value, b.sum(shifted, low));
}
