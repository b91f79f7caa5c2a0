import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { forked, sameOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { steady } from "./steady.ts";
import { nonZeroOf } from "./types.ts";

/** Continues when the only argument is zero; otherwise branches with the argument as type `nonZero`. */
export function zeroTest(type: number, nonZero: number): Libfunc {
  return {
    signature: forked(
      [type],
      { variables: [], apChange: "new_vars_only" },
      { variables: [sameOutput(nonZero, 0)], apChange: "new_vars_only" },
    ),
    ...steady({ ap: 0, steps: 1 }, { ap: 0, steps: 1 }),
    build: buildIsZero,
  };
}

/** {@link zeroTest} for a type without arguments. */
export function isZeroOf(genericId: string): Specialize {
  return (context, args) => {
    noArguments(args);
    const type = context.find(genericId);
    return zeroTest(type, nonZeroOf(context, type));
  };
}

function buildIsZero(invocation: InvocationBuilder): CompiledInvocation {
  const [argument] = invocation.singles();
  const b = new CasmBuilder();
  const value = derefInput(b, argument);
  b.jumpNz(value, "Target");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [] },
    { label: "Target", outputs: [[value]], target: invocation.target(1) },
  ]);
}
