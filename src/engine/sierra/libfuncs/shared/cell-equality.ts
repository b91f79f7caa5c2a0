import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { derefInput, derefOrImmediateInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { forked } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { steady } from "./steady.ts";

/** Branches when two one-cell values are equal; continues when they differ. */
export function cellEquality(type: number): Libfunc {
  const branch = { variables: [], apChange: "other" } as const;
  return {
    signature: forked([type, type], branch, branch),
    ...steady({ ap: 1, steps: 2 }, { ap: 1, steps: 3 }),
    build: buildCellEquality,
  };
}

/** {@link cellEquality} for a type without arguments. */
export function cellEqualityOf(genericId: string): Specialize {
  return (context, args) => {
    noArguments(args);
    return cellEquality(context.find(genericId));
  };
}

function buildCellEquality(invocation: InvocationBuilder): CompiledInvocation {
  const [left, right] = invocation.singles();
  const b = new CasmBuilder();
  const lhs = derefInput(b, left);
  const rhs = derefOrImmediateInput(b, right);
  const difference = b.tempvar(b.difference(lhs, rhs));
  b.jumpNz(difference, "NotEqual");
  b.jump("Equal");
  b.label("NotEqual");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [] },
    { label: "Equal", outputs: [], target: invocation.target(1) },
  ]);
}
