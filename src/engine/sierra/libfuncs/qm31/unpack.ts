import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { steady } from "../shared/steady.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import { m31Type, PART_BOUND, qm31Type } from "./types.ts";

/** Unpacks the four parts of a number, lowest first. */
export const qm31Unpack: Specialize = (context, args) => {
  noArguments(args);
  const rangeCheck = context.find("RangeCheck");
  const part = simpleOutput(m31Type(context));
  return {
    signature: straight(
      [rangeCheck, qm31Type(context)],
      [builtinOutput(rangeCheck), part, part, part, part],
      "other",
    ),
    ...steady({ ap: 13, steps: 15, rangeChecks: 5 }),
    build: buildUnpack,
  };
};

function buildUnpack(invocation: InvocationBuilder): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 5);
  const packed = cellArgument(b, invocation, 1);
  const shift = b.constant(PART_BOUND);
  const [part0, rest1] = guessedParts(b, packed, shift);
  const [part1, rest2] = guessedParts(b, rest1, shift);
  const [part2, part3] = guessedParts(b, rest2, shift);
  for (const [whole, high, low] of [
    [rest2, part3, part2],
    [rest1, rest2, part1],
    [packed, rest1, part0],
  ] as const) {
    const shifted = b.tempvar(b.product(high, shift));
    b.assertEq(whole, b.sum(shifted, low));
  }
  for (const part of [part0, part1, part2, part3]) b.assertEq(part, b.next(rangeCheck));
  // The sum of the parts is below 2^130, so it does not wrap. A sum below 2^36 bounds each of them.
  const lowSum = b.tempvar(b.sum(part0, part1));
  const highSum = b.tempvar(b.sum(part2, part3));
  const sum = b.tempvar(b.sum(lowSum, highSum));
  const shiftedSum = b.tempvar(b.sum(sum, b.constant(RANGE_CHECK_BOUND - PART_BOUND)));
  b.assertEq(shiftedSum, b.next(rangeCheck));
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[rangeCheck], [part0], [part1], [part2], [part3]] }],
    { builtins: [{ token: "RangeCheck", start, end: rangeCheck }] },
  );
}

/** Cells for the lowest part of a number and the rest, filled by a hint. */
function guessedParts(b: CasmBuilder, whole: Var, shift: Var): readonly [part: Var, rest: Var] {
  const part = b.tempvar();
  const rest = b.tempvar();
  b.hint("DivMod", { lhs: whole, rhs: shift }, { quotient: rest, remainder: part });
  return [part, rest];
}
