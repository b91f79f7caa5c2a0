import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { forked, sameOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { boundedIntType, integerRangeOf } from "../shared/integer-ranges.ts";
import { steady } from "../shared/steady.ts";

/**
 * Specializes `bounded_int_trim_min` or `bounded_int_trim_max`: continues when an integer is the
 * minimum or maximum of its type; otherwise branches with a type that excludes that value.
 */
export function trim(end: "min" | "max"): Specialize {
  return (context, args) => {
    const type = typeArgument(args);
    const { lower, upper } = integerRangeOf(context, type);
    const isMin = end === "min";
    const value = isMin ? lower : upper - 1n;
    const rest = isMin ? { lower: lower + 1n, upper } : { lower, upper: upper - 1n };
    const result = sameOutput(boundedIntType(context, rest), 0);
    const apChange = value === 0n ? "new_vars_only" : "other";
    const table = value === 0n ? { ap: 0, steps: 1 } : { ap: 1, steps: 2 };
    return {
      signature: forked([type], { variables: [], apChange }, { variables: [result], apChange }),
      ...steady(table, table),
      build: (invocation) => buildTrim(invocation, value),
    };
  };
}

function buildTrim(invocation: InvocationBuilder, trimmed: bigint): CompiledInvocation {
  const [input] = invocation.singles();
  const b = new CasmBuilder();
  const value = derefInput(b, input);
  const difference = b.maybeTempvar(b.difference(value, b.constant(trimmed)));
  b.jumpNz(difference, "Target");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [] },
    { label: "Target", outputs: [[value]], target: invocation.target(1) },
  ]);
}
