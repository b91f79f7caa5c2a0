import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { forked, sameOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { cellQuad } from "../shared/operands.ts";
import { steady } from "../shared/steady.ts";
import { limbTuple } from "./types.ts";

/** Continues with a number as a circuit modulus when it is at least two, otherwise branches. */
export const tryIntoCircuitModulus: Specialize = (context, args) => {
  noArguments(args);
  const modulus = context.find("CircuitModulus");
  return {
    signature: forked(
      [limbTuple(context)],
      { variables: [sameOutput(modulus, 0)], apChange: "other" },
      { variables: [], apChange: "other" },
    ),
    ...steady({ ap: 1, steps: 6 }, { ap: 1, steps: 7 }),
    build: buildTryInto,
  };
};

function buildTryInto(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const limbs = cellQuad(b, invocation, 0);
  const [limb0, limb1, limb2, limb3] = limbs;
  const one = b.constant(1);
  const limb0MinusOne = b.tempvar();
  b.jumpNz(limb3, "Success");
  b.jumpNz(limb2, "Success");
  b.jumpNz(limb1, "Success");
  b.jumpNz(limb0, "CheckNotOne");
  b.jump("Failure");
  b.label("CheckNotOne");
  b.assertEq(limb0MinusOne, b.difference(limb0, one));
  b.jumpNz(limb0MinusOne, "Success");
  b.jump("Failure");
  b.label("Success");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [limbs] },
    { label: "Failure", outputs: [], target: invocation.target(1) },
  ]);
}
