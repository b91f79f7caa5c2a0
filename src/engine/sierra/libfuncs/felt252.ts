import type { Var } from "../casm/builder-state.ts";
import { CasmBuilder } from "../casm/casm-builder.ts";
import { FALLTHROUGH } from "../casm/code-flow.ts";
import { noArguments, valueArgument } from "../libfunc/arguments.ts";
import { derefInput, derefOrImmediateInput } from "../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import { deferredOutput, straight, tempOutput } from "../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../libfunc/specialization.ts";
import { constantOf } from "./shared/constant.ts";
import { isZeroOf } from "./shared/is-zero.ts";
import { FREE, steady } from "./shared/steady.ts";
import { nonZeroOf, unsupported } from "./shared/types.ts";

type FeltOperator = "add" | "sub" | "mul" | "div";

/** Gas of a division beyond its step: division is expensive for a prover. */
const DIVISION_GAS = 400;

/** Arithmetic of felts. */
export const FELT252_LIBFUNCS: LibfuncFamily = {
  felt252_add: withVariable("add"),
  felt252_sub: withVariable("sub"),
  felt252_mul: withVariable("mul"),
  felt252_div: withVariable("div"),
  felt252_add_const: withConstant("add"),
  felt252_sub_const: withConstant("sub"),
  felt252_mul_const: withConstant("mul"),
  felt252_div_const: withConstant("div"),
  felt252_const: constantOf("felt252"),
  felt252_is_zero: isZeroOf("felt252"),
};

function withVariable(operator: FeltOperator): Specialize {
  return (context, args) => {
    noArguments(args);
    const felt = context.find("felt252");
    const second = operator === "div" ? nonZeroOf(context, felt) : felt;
    return operation(operator, felt, [felt, second], (b, invocation) => {
      const [left, right] = invocation.singles();
      return [derefInput(b, left), derefOrImmediateInput(b, right)];
    });
  };
}

function withConstant(operator: FeltOperator): Specialize {
  return (context, args) => {
    const value = valueArgument(args);
    if (operator === "div" && value === 0n) unsupported("a divisor other than zero");
    const felt = context.find("felt252");
    return operation(operator, felt, [felt], (b, invocation) => {
      const [left] = invocation.singles();
      return [derefInput(b, left), b.constant(value)];
    });
  };
}

type Operands = (b: CasmBuilder, invocation: InvocationBuilder) => readonly [lhs: Var, rhs: Var];

/** A quotient is stored immediately; other results are left to later statements. */
function operation(
  operator: FeltOperator,
  felt: number,
  params: readonly number[],
  operands: Operands,
): Libfunc {
  const isDivision = operator === "div";
  const output = isDivision ? tempOutput(felt, 0) : deferredOutput(felt);
  return {
    signature: straight(params, [output], "new_vars_only"),
    ...(isDivision ? steady({ ap: 1, steps: 5 }) : FREE),
    build: (invocation) => buildOperation(invocation, operator, operands),
  };
}

function buildOperation(
  invocation: InvocationBuilder,
  operator: FeltOperator,
  operands: Operands,
): CompiledInvocation {
  const b = new CasmBuilder();
  const [lhs, rhs] = operands(b, invocation);
  const extra = [operator === "div" ? DIVISION_GAS : 0];
  const result = resultOf(b, operator, lhs, rhs);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[result]] }], { extra });
}

function resultOf(b: CasmBuilder, operator: FeltOperator, lhs: Var, rhs: Var): Var {
  switch (operator) {
    case "add":
      return b.sum(lhs, rhs);
    case "sub":
      return b.difference(lhs, rhs);
    case "mul":
      return b.product(lhs, rhs);
    case "div":
      return b.tempvar(b.quotient(lhs, rhs));
  }
}
