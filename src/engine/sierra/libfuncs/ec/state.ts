import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { regularCost } from "../../libfunc/branch-cost.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import {
  builtinOutput,
  deferredOutput,
  forked,
  straight,
  tempOutput,
} from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, cellPair } from "../shared/operands.ts";
import { FREE, steady } from "../shared/steady.ts";
import { assertLeftSide, assertRightSide, equationCells, sumOfPoints } from "./curve.ts";
import { nonZeroPointType, stateType } from "./types.ts";

/** Creates a state that contains only a random point. */
const ecStateInit: Specialize = (context, args) => {
  noArguments(args);
  return {
    signature: straight([], [tempOutput(stateType(context), 0)], "other"),
    ...steady({ ap: 7, steps: 7 }),
    build: buildInit,
  };
};

function buildInit(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const side = b.tempvar();
  const cells = equationCells(b);
  const x = b.tempvar();
  const y = b.tempvar();
  const pointer = b.tempvar();
  b.hint("RandomEcPoint", {}, { x, y });
  b.hint("AllocConstantSize", { size: b.constant(2) }, { dst: pointer });
  b.assertEq(x, b.at(pointer, 0));
  b.assertEq(y, b.at(pointer, 1));
  // Writes both sides of the equation to one cell, which proves that the point is on the curve.
  assertLeftSide(b, y, side);
  assertRightSide(b, x, cells, side);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[x, y, pointer]] }]);
}

const ecStateAdd: Specialize = (context, args) => {
  noArguments(args);
  const state = stateType(context);
  return {
    signature: straight([state, nonZeroPointType(context)], [deferredOutput(state)], "other"),
    ...steady({ ap: 9, steps: 10 }),
    build: buildAdd,
  };
};

/** Points with equal `x` cannot be added; with a truly random point this does not occur. */
function buildAdd(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const [stateX, stateY, pointer] = stateArgument(b, invocation, 0);
  const [x0, y0] = cellPair(b, invocation, 1);
  const run = b.tempvar(b.difference(x0, stateX));
  b.jumpNz(run, "NotSameX");
  b.fail();
  b.label("NotSameX");
  const rise = b.tempvar(b.difference(y0, stateY));
  const sum = sumOfPoints(b, { x0, y0, x1: stateX, rise, run });
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[...sum, pointer]] }]);
}

/** Adds a multiple of a point, with the builtin. */
const ecStateAddMul: Specialize = (context, args) => {
  noArguments(args);
  const builtin = context.find("EcOp");
  const state = stateType(context);
  return {
    signature: straight(
      [builtin, state, context.find("felt252"), nonZeroPointType(context)],
      [builtinOutput(builtin), deferredOutput(state)],
      "new_vars_only",
    ),
    apChanges: FREE.apChanges,
    costs: () => [regularCost({ steps: 5 }, { EcOp: 1 })],
    build: buildAddMul,
  };
};

function buildAddMul(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const builtin = bufferInput(b, invocation.args[0]?.[0], 6);
  const [stateX, stateY, pointer] = stateArgument(b, invocation, 1);
  const factor = cellArgument(b, invocation, 2);
  const [x, y] = cellPair(b, invocation, 3);
  for (const input of [stateX, stateY, x, y, factor]) b.assertEq(input, b.next(builtin));
  const state = [b.next(builtin), b.next(builtin), pointer];
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[builtin], state] }]);
}

/** Returns the content of a state without the random point; branches when it is empty. */
const ecStateTryFinalize: Specialize = (context, args) => {
  noArguments(args);
  return {
    signature: forked(
      [stateType(context)],
      { variables: [tempOutput(nonZeroPointType(context), 0)], apChange: "other" },
      { variables: [], apChange: "other" },
    ),
    ...steady({ ap: 11, steps: 12 }, { ap: 3, steps: 6 }),
    build: buildTryFinalize,
  };
};

/** Adds the negated random point. Of points with equal `x`, it accepts only the random point itself. */
function buildTryFinalize(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const [x0, y0, pointer] = stateArgument(b, invocation, 0);
  const x1 = b.tempvar(b.at(pointer, 0));
  const y1 = b.tempvar(b.at(pointer, 1));
  const run = b.tempvar(b.difference(x0, x1));
  b.jumpNz(run, "NotSameX");
  b.assertEq(y0, y1);
  b.jump("Infinity");
  b.label("NotSameX");
  const rise = b.tempvar(b.sum(y0, y1));
  const point = sumOfPoints(b, { x0, y0, x1, rise, run });
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [point] },
    { label: "Infinity", outputs: [], target: invocation.target(1) },
  ]);
}

function stateArgument(
  b: CasmBuilder,
  invocation: InvocationBuilder,
  index: number,
): readonly [x: Var, y: Var, pointer: Var] {
  const cells = invocation.args[index];
  return [derefInput(b, cells?.[0]), derefInput(b, cells?.[1]), derefInput(b, cells?.[2])];
}

/** Libfuncs of point sums. */
export const EC_STATE_LIBFUNCS: LibfuncFamily = {
  ec_state_init: ecStateInit,
  ec_state_add: ecStateAdd,
  ec_state_add_mul: ecStateAddMul,
  ec_state_try_finalize_nz: ecStateTryFinalize,
};
