import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { cellArgument } from "../shared/operands.ts";
import { steady } from "../shared/steady.ts";
import { m31Type, PART_BOUND, qm31Type } from "./types.ts";

/** Packs four parts, lowest first, into a qm31 number. */
export const qm31Pack: Specialize = (context, args) => {
  noArguments(args);
  const part = m31Type(context);
  const packed = deferredOutput(qm31Type(context));
  return {
    signature: straight([part, part, part, part], [packed], "other"),
    ...steady({ ap: 6, steps: 6 }),
    build: buildPack,
  };
};

function buildPack(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const shift = b.constant(PART_BOUND);
  let packed = cellArgument(b, invocation, 3);
  for (const index of [2, 1, 0]) {
    const shifted = b.tempvar(b.product(packed, shift));
    packed = b.tempvar(b.sum(shifted, cellArgument(b, invocation, index)));
  }
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[packed]] }]);
}
