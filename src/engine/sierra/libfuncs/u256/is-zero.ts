import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { forked, sameOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { cellPair } from "../shared/operands.ts";
import { steady } from "../shared/steady.ts";
import { nonZeroOf, u256Type } from "../shared/types.ts";

/** Continues when both halves are zero; otherwise branches with the integer as a `NonZero`. */
export function isZero(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  noArguments(args);
  const u256 = u256Type(context);
  return {
    signature: forked(
      [u256],
      { variables: [], apChange: "new_vars_only" },
      { variables: [sameOutput(nonZeroOf(context, u256), 0)], apChange: "new_vars_only" },
    ),
    ...steady({ ap: 0, steps: 2 }, { ap: 0, steps: 2 }),
    build: buildIsZero,
  };
}

function buildIsZero(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const [low, high] = cellPair(b, invocation, 0);
  b.jumpNz(low, "Target");
  b.jumpNz(high, "Target");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [] },
    { label: "Target", outputs: [[low, high]], target: invocation.target(1) },
  ]);
}
