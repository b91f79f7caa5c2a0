import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { known } from "../../libfunc/ap-change.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { regularCost } from "../../libfunc/branch-cost.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";

/** And, xor and or of two unsigned integers. */
export function bitwise(genericId: string): Specialize {
  return (context, args) => {
    noArguments(args);
    const builtin = context.find("Bitwise");
    const type = context.find(genericId);
    const result = deferredOutput(type);
    const outputs = [builtinOutput(builtin), result, result, result];
    return {
      signature: straight([builtin, type, type], outputs, "new_vars_only"),
      apChanges: () => [known(0)],
      costs: () => [regularCost({ steps: 2 }, { Bitwise: 1 })],
      build: buildBitwise,
    };
  };
}

function buildBitwise(invocation: InvocationBuilder): CompiledInvocation {
  const [builtin, left, right] = invocation.singles();
  const b = new CasmBuilder();
  const pointer = bufferInput(b, builtin, 4);
  b.assertEq(derefInput(b, left), b.next(pointer));
  b.assertEq(derefInput(b, right), b.next(pointer));
  const and = b.next(pointer);
  const xor = b.next(pointer);
  const or = b.next(pointer);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[pointer], [and], [xor], [or]] }]);
}
