import { FIELD_PRIME } from "#base/primitives/index.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, deferredOutput, forked } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { proveUnderLimit } from "../shared/under-limit.ts";
import { assertLeftSide, assertRightSide, equationCells } from "./curve.ts";
import { nonZeroPointType } from "./types.ts";

/** Half of the prime, rounded up: exactly one of `y` and `-y` is below it. */
const HALF_OF_FIELD = (FIELD_PRIME + 1n) / 2n;

/** Creates a point from its coordinates; branches when it is not on the curve. */
const ecPointTryNew: Specialize = (context, args) => {
  noArguments(args);
  const coordinate = context.find("felt252");
  return {
    signature: forked(
      [coordinate, coordinate],
      { variables: [deferredOutput(nonZeroPointType(context))], apChange: "other" },
      { variables: [], apChange: "other" },
    ),
    ...steady({ ap: 6, steps: 7 }, { ap: 6, steps: 7 }),
    build: buildTryNew,
  };
};

function buildTryNew(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const x = cellArgument(b, invocation, 0);
  const y = cellArgument(b, invocation, 1);
  const left = b.tempvar();
  const right = b.tempvar();
  const cells = equationCells(b);
  assertLeftSide(b, y, left);
  assertRightSide(b, x, cells, right);
  const difference = b.tempvar(b.difference(left, right));
  b.jumpNz(difference, "NotOnCurve");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [[x, y]] },
    { label: "NotOnCurve", outputs: [], target: invocation.target(1) },
  ]);
}

/** Creates the point with this `x` and the smaller `y`; branches when none exists. */
const ecPointFromX: Specialize = (context, args) => {
  noArguments(args);
  const rangeCheck = context.find("RangeCheck");
  const point = deferredOutput(nonZeroPointType(context));
  return {
    signature: forked(
      [rangeCheck, context.find("felt252")],
      { variables: [builtinOutput(rangeCheck), point], apChange: "other" },
      { variables: [builtinOutput(rangeCheck)], apChange: "other" },
    ),
    ...steady({ ap: 11, steps: 14, rangeChecks: 3 }, { ap: 7, steps: 9 }),
    build: buildFromX,
  };
};

/**
 * A hint supplies a root of the right side, or of three times it. 3 is not a square in the field and the
 * right side is never zero, so a root of three times the right side proves that the right side has none.
 */
function buildFromX(invocation: InvocationBuilder): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 2);
  const x = cellArgument(b, invocation, 1);
  const right = b.tempvar();
  assertRightSide(b, x, equationCells(b), right);
  const y = b.tempvar();
  b.hint("FieldSqrt", { val: right }, { sqrt: y });
  const left = b.tempvar();
  assertLeftSide(b, y, left);
  const difference = b.tempvar(b.difference(left, right));
  b.jumpNz(difference, "VerifyNotOnCurve");
  b.jump("OnCurve");
  b.label("VerifyNotOnCurve");
  b.assertEq(left, b.product(right, b.constant(3)));
  b.jump("NotOnCurve");
  b.label("OnCurve");
  const cells = [b.tempvar(), b.tempvar(), b.tempvar(), b.tempvar()] as const;
  proveUnderLimit(b, HALF_OF_FIELD, y, rangeCheck, cells);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [x, y]] },
      { label: "NotOnCurve", outputs: [[rangeCheck]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Libfuncs that create points from coordinates. */
export const EC_POINT_TRY_NEW_LIBFUNCS: LibfuncFamily = {
  ec_point_try_new_nz: ecPointTryNew,
  ec_point_from_x_nz: ecPointFromX,
};
