import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { derefInput, derefOrImmediateInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { FREE } from "../shared/steady.ts";

/** Operation on two cells that one instruction can perform. */
export type CellOperation = "sum" | "difference" | "product";

/** Operation whose result is stored later; it takes no steps itself. */
export function deferredOperation(
  lhs: number,
  rhs: number,
  result: number,
  operation: CellOperation,
): Libfunc {
  return {
    signature: straight([lhs, rhs], [deferredOutput(result)], "new_vars_only"),
    ...FREE,
    build: (invocation) => buildDeferred(invocation, operation),
  };
}

/** Product of two integers, of a type wide enough for it. */
export function wideProduct(genericId: string, result: string): Specialize {
  return (context, args) => {
    noArguments(args);
    const type = context.find(genericId);
    return deferredOperation(type, type, context.find(result), "product");
  };
}

function buildDeferred(
  invocation: InvocationBuilder,
  operation: CellOperation,
): CompiledInvocation {
  const [left, right] = invocation.singles();
  const b = new CasmBuilder();
  const result = b[operation](derefInput(b, left), derefOrImmediateInput(b, right));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[result]] }]);
}
