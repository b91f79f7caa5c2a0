import { invariant } from "#base/errors/index.ts";
import type { Var } from "../casm/builder-state.ts";
import { CasmBuilder } from "../casm/casm-builder.ts";
import { FALLTHROUGH } from "../casm/code-flow.ts";
import { noArguments } from "../libfunc/arguments.ts";
import { derefInput } from "../libfunc/inputs.ts";
import { deferredOutput, straight } from "../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../libfunc/specialization.ts";
import { reinterpretation } from "./shared/identity.ts";
import { steady } from "./shared/steady.ts";
import { boolType } from "./shared/types.ts";

/** Logical operations on booleans, which are 0 or 1 in a cell. */
export const BOOL_LIBFUNCS: LibfuncFamily = {
  bool_and_impl: binary(0, (b, lhs, rhs) => b.product(lhs, rhs)),
  bool_not_impl: logic(1, 1, (b, [value]) => {
    const one = b.tempvar(b.constant(1));
    return b.difference(one, operand(value));
  }),
  bool_or_impl: binary(2, (b, lhs, rhs) => {
    const sum = b.tempvar(b.sum(lhs, rhs));
    const product = b.tempvar(b.product(lhs, rhs));
    return b.difference(sum, product);
  }),
  bool_to_felt252: (context, args) => {
    noArguments(args);
    return reinterpretation(boolType(context), context.find("felt252"));
  },
  bool_xor_impl: binary(1, (b, lhs, rhs) => {
    const difference = b.tempvar(b.difference(lhs, rhs));
    return b.product(difference, difference);
  }),
};

function binary(cells: number, code: (b: CasmBuilder, lhs: Var, rhs: Var) => Var): Specialize {
  return logic(2, cells, (b, [lhs, rhs]) => code(b, operand(lhs), operand(rhs)));
}

/** Creates a libfunc that takes `count` booleans and writes `cells` cells, in one step each. */
function logic(
  count: number,
  cells: number,
  code: (b: CasmBuilder, operands: readonly Var[]) => Var,
): Specialize {
  return (context, args) => {
    noArguments(args);
    const type = boolType(context);
    const params = Array.from({ length: count }, () => type);
    const apChange = cells === 0 ? "new_vars_only" : "other";
    return {
      signature: straight(params, [deferredOutput(type)], apChange),
      ...steady({ ap: cells, steps: cells }),
      build: (invocation) => {
        const b = new CasmBuilder();
        const operands = invocation.singles().map((cell) => derefInput(b, cell));
        const result = code(b, operands);
        return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[result]] }]);
      },
    };
  };
}

function operand(variable: Var | undefined): Var {
  invariant(variable !== undefined, "a libfunc has its arguments");
  return variable;
}
