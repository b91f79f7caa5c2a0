import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { regularCost } from "../../libfunc/branch-cost.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { FREE, steady } from "../shared/steady.ts";
import { arrayOf } from "./types.ts";

/** Creates an array: two pointers, to its first cell and past its last one. */
const arrayNew: Specialize = (context, args) => ({
  signature: straight([], [simpleOutput(arrayOf(context, typeArgument(args)))], "other"),
  ...steady({ ap: 1, steps: 1 }),
  build: buildNew,
});

function buildNew(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const start = b.tempvar();
  b.hint("AllocSegment", {}, { dst: start });
  b.addAp(1);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[start, start]] }]);
}

const arrayAppend: Specialize = (context, args) => {
  const element = typeArgument(args);
  const array = arrayOf(context, element);
  return {
    signature: straight([array, element], [deferredOutput(array)], "new_vars_only"),
    apChanges: FREE.apChanges,
    costs: (info) => [regularCost({ steps: info.sizeOf(element) })],
    build: buildAppend,
  };
};

function buildAppend(invocation: InvocationBuilder): CompiledInvocation {
  const [[start, end] = [], element = []] = invocation.args;
  const b = new CasmBuilder();
  const arrayStart = bufferInput(b, start, 0);
  const arrayEnd = bufferInput(b, end, element.length);
  for (const cell of element) b.assertEq(derefInput(b, cell), b.next(arrayEnd));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[arrayStart, arrayEnd]] }]);
}

/** Libfuncs that create arrays and append to them. */
export const ARRAY_GROWTH_LIBFUNCS: LibfuncFamily = {
  array_new: arrayNew,
  array_append: arrayAppend,
};
