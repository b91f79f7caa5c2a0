import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { RANGE_CHECK_BOUND } from "./under-limit.ts";

/** Variables in the code of {@link buildSmallDifference}. */
export interface SmallDifference {
  readonly rangeCheck: Var;
  readonly lhs: Var;
  readonly rhs: Var;
  /** `lhs - rhs`. */
  readonly difference: Var;
  /** `lhs - rhs + limit`, if negative. */
  readonly wrapped: Var;
}

/** Selects the outputs of a branch from the variables of the code. */
export type SmallDifferenceOutputs = (names: SmallDifference) => readonly (readonly Var[])[];

/**
 * Emits a libfunc that takes a range check pointer and two numbers whose distance is less than `limit`, at
 * most `2^128`. Continues when the difference is not negative, otherwise branches.
 */
export function buildSmallDifference(
  invocation: InvocationBuilder,
  limit: bigint,
  notNegative: SmallDifferenceOutputs,
  negative: SmallDifferenceOutputs,
): CompiledInvocation {
  const [builtin, left, right] = invocation.singles();
  const b = new CasmBuilder();
  const rangeCheck = bufferInput(b, builtin, 0);
  const lhs = derefInput(b, left);
  const rhs = derefInput(b, right);
  const start = b.copy(rangeCheck);
  const isNotNegative = b.tempvar();
  const difference = b.tempvar(b.difference(lhs, rhs));
  const limitVar = b.constant(limit);
  b.hint("TestLessThan", { lhs: difference, rhs: limitVar }, { dst: isNotNegative });
  b.jumpNz(isNotNegative, "NoOverflow");
  const fixed = b.tempvar(b.sum(difference, b.constant(RANGE_CHECK_BOUND)));
  b.assertEq(fixed, b.next(rangeCheck));
  const wrapped = limit === RANGE_CHECK_BOUND ? fixed : b.sum(difference, limitVar);
  b.jump("Overflow");
  b.label("NoOverflow");
  b.assertEq(difference, b.next(rangeCheck));
  const names = { rangeCheck, lhs, rhs, difference, wrapped };
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: notNegative(names) },
      { label: "Overflow", outputs: negative(names), target: invocation.target(1) },
    ],
    { builtins: [{ token: "RangeCheck", start, end: rangeCheck }] },
  );
}
