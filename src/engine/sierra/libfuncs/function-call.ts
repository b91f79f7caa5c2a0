import { isTopOfStack } from "../casm/cell-expression.ts";
import { apCell, deref, immediate } from "../casm/operand.ts";
import { CompileError } from "../compile-error.ts";
import { typeArgument } from "../libfunc/arguments.ts";
import { type BranchCost, regularCost } from "../libfunc/branch-cost.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { OutputVariable } from "../libfunc/signature.ts";
import { emptyOutput, straight, tempOutput } from "../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../libfunc/specialization.ts";
import type { GenericArgument } from "../program/program.ts";
import { FREE } from "./shared/steady.ts";
import { unsupported } from "./shared/types.ts";

/** Cost of a call beyond the function: `call` and `ret`. */
const CALL_COST = { steps: 2 };

/** Specializes `function_call`: calls a function of the program. */
export const functionCall: Specialize = (context, args) => {
  const callee = functionArgument(args);
  const cost = { kind: "function", cost: CALL_COST, function: callee, sign: 1 } as const;
  return call(context, callee, [], cost);
};

/** Specializes `coupon_call`: calls a function that `coupon_buy` paid for. */
export const couponCall: Specialize = (context, args) => {
  const callee = functionArgument(args);
  const coupon = context.find("Coupon", [{ kind: "function", function: callee }]);
  return call(context, callee, [coupon], regularCost(CALL_COST));
};

/** Specializes `coupon_buy`: pays for a later call of a function. */
export const couponBuy: Specialize = (context, args) => {
  const { type, callee } = couponArgument(context, args);
  return {
    ...FREE,
    signature: straight([], [emptyOutput(type)], "new_vars_only"),
    costs: () => [{ kind: "function", cost: {}, function: callee, sign: 1 }],
    build: (invocation) => invocation.rename([[]]),
  };
};

/**
 * Specializes `coupon_refund`: refunds the price of a function that was paid for and not called.
 */
export const couponRefund: Specialize = (context, args) => {
  const { type, callee } = couponArgument(context, args);
  return {
    ...FREE,
    signature: straight([type], [], "new_vars_only"),
    costs: () => [{ kind: "function", cost: {}, function: callee, sign: -1 }],
    build: (invocation) => invocation.rename([]),
  };
};

function functionArgument(args: readonly GenericArgument[]): number {
  const [first] = args;
  return args.length === 1 && first?.kind === "function"
    ? first.function
    : unsupported("one function");
}

function couponArgument(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): { readonly type: number; readonly callee: number } {
  const type = typeArgument(args);
  const { data } = context.typeOf(type);
  if (data.kind !== "coupon") return unsupported("a coupon");
  // The type alone may refer to a function that the program does not have.
  context.functionOf(data.function);
  return { type, callee: data.function };
}

function call(
  context: SpecializationContext,
  callee: number,
  further: readonly number[],
  cost: BranchCost,
): Libfunc {
  const { params, returns } = context.functionOf(callee);
  return {
    signature: straight([...params, ...further], returnedOutputs(context, returns), "other"),
    apChanges: () => [{ kind: "function_call", function: callee }],
    costs: () => [cost],
    build: (invocation) => buildCall(invocation, callee, returns),
  };
}

/** Outputs that a function leaves at the top of the stack. */
function returnedOutputs(
  context: SpecializationContext,
  returns: readonly number[],
): OutputVariable[] {
  let count = 0;
  return returns.map((type) =>
    context.typeOf(type).info.zeroSized ? emptyOutput(type) : tempOutput(type, count++),
  );
}

function buildCall(
  invocation: InvocationBuilder,
  callee: number,
  returns: readonly number[],
): CompiledInvocation {
  if (!isTopOfStack(invocation.args.flat())) {
    throw new CompileError(
      "SIERRA_INVALID",
      "the arguments of a call are not at the top of the stack: store them first",
    );
  }
  const sizes = returns.map((type) => invocation.info.sizeOf(type));
  let offset = -sizes.reduce((sum, size) => sum + size, 0);
  const outputs = sizes.map((size) => Array.from({ length: size }, () => deref(apCell(offset++))));
  const body = { kind: "call", target: immediate(0), relative: true } as const;
  const target = { kind: "statement", statement: invocation.entryOf(callee) } as const;
  return invocation.finishPlain(
    [{ body, incAp: false, hints: [] }],
    [{ instruction: 0, target }],
    [outputs],
  );
}
