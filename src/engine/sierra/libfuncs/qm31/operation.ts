import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { derefInput, derefOrImmediateInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { straight, tempOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import { steady } from "../shared/steady.ts";
import { nonZeroOf } from "../shared/types.ts";
import { m31Type, qm31Type } from "./types.ts";

/** Operation; the divisor of a quotient is non-zero. */
type Operation = "sum" | "difference" | "product" | "quotient";

/** Operation on two integers modulo 2^31 - 1. */
export function m31Operation(operation: Operation): Specialize {
  return operationOn(m31Type, operation);
}

/** Operation on two qm31 numbers of four parts. */
export function qm31Operation(operation: Operation): Specialize {
  return operationOn(qm31Type, operation);
}

function operationOn(
  typeIn: (context: SpecializationContext) => number,
  operation: Operation,
): Specialize {
  return (context, args) => {
    noArguments(args);
    const type = typeIn(context);
    const second = operation === "quotient" ? nonZeroOf(context, type) : type;
    return {
      signature: straight([type, second], [tempOutput(type, 0)], "new_vars_only"),
      ...steady({ ap: 1, steps: 1 }),
      build: (invocation) => buildOperation(invocation, operation),
    };
  };
}

function buildOperation(invocation: InvocationBuilder, operation: Operation): CompiledInvocation {
  const [left, right] = invocation.singles();
  const b = new CasmBuilder();
  const lhs = derefInput(b, left);
  const rhs = derefOrImmediateInput(b, right);
  const result = b.tempvar();
  b.assertEq(result, b[operation](lhs, rhs), "qm31_assert_eq");
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[result]] }]);
}
