import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { immediate } from "../../casm/operand.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, forked, sameOutput, straight } from "../../libfunc/signatures.ts";
import type {
  LibfuncFamily,
  SpecializationContext,
  Specialize,
} from "../../libfunc/specialization.ts";
import { cellPair } from "../shared/operands.ts";
import { FREE, steady } from "../shared/steady.ts";
import { nonZeroPointType, pointType } from "./types.ts";

/** Point at infinity: both coordinates are zero. */
const ecPointZero: Specialize = (context, args) => {
  noArguments(args);
  return {
    signature: straight([], [deferredOutput(pointType(context))], "new_vars_only"),
    ...FREE,
    build: (invocation) => invocation.rename([[immediate(0), immediate(0)]]),
  };
};

const ecPointUnwrap: Specialize = (context, args) => {
  noArguments(args);
  const coordinate = deferredOutput(context.find("felt252"));
  return {
    signature: straight([nonZeroPointType(context)], [coordinate, coordinate], "new_vars_only"),
    ...FREE,
    build: buildUnwrap,
  };
};

function buildUnwrap(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const [x, y] = cellPair(b, invocation, 0);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[x], [y]] }]);
}

/** Branches when the point is not the point at infinity. */
const ecPointIsZero: Specialize = (context, args) => {
  noArguments(args);
  return {
    signature: forked(
      [pointType(context)],
      { variables: [], apChange: "new_vars_only" },
      { variables: [sameOutput(nonZeroPointType(context), 0)], apChange: "new_vars_only" },
    ),
    ...steady({ ap: 0, steps: 1 }, { ap: 0, steps: 1 }),
    build: buildIsZero,
  };
};

/** Tests only `y`: no point on the curve has `y = 0`. */
function buildIsZero(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const [x, y] = cellPair(b, invocation, 0);
  b.jumpNz(y, "NonZero");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [] },
    { label: "NonZero", outputs: [[x, y]], target: invocation.target(1) },
  ]);
}

/** Negates a point. */
function negation(typeOf: (context: SpecializationContext) => number): Specialize {
  return (context, args) => {
    noArguments(args);
    const point = typeOf(context);
    return {
      signature: straight([point], [deferredOutput(point)], "new_vars_only"),
      ...FREE,
      build: buildNegation,
    };
  };
}

function buildNegation(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const [x, y] = cellPair(b, invocation, 0);
  const negated = b.product(y, b.constant(-1));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[x, negated]] }]);
}

/** Libfuncs of points. */
export const EC_POINT_LIBFUNCS: LibfuncFamily = {
  ec_point_zero: ecPointZero,
  ec_point_unwrap: ecPointUnwrap,
  ec_point_is_zero: ecPointIsZero,
  ec_neg: negation(pointType),
  ec_neg_nz: negation(nonZeroPointType),
};
