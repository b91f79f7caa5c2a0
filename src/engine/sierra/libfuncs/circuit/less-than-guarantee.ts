import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments, valueArgument } from "../../libfunc/arguments.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, forked, straight, tempOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { steady } from "../shared/steady.ts";
import { unsupported } from "../shared/types.ts";
import { lessThanGuarantee } from "./types.ts";

/**
 * Continues with the lower limbs when the highest ones are equal. Otherwise branches with the guarantee that
 * their difference is a limb.
 */
export const u96LimbsLessThanGuaranteeVerify: Specialize = (context, args) => {
  const limbCount = Number(valueArgument(args));
  if (limbCount <= 1 || !Number.isSafeInteger(limbCount)) unsupported("more than one limb");
  const guarantee = lessThanGuarantee(context, limbCount);
  const lowerGuarantee = lessThanGuarantee(context, limbCount - 1);
  return {
    signature: forked(
      [guarantee],
      { variables: [deferredOutput(lowerGuarantee)], apChange: "other" },
      { variables: [tempOutput(context.find("U96Guarantee"), 0)], apChange: "new_vars_only" },
    ),
    ...steady({ ap: 1, steps: 2 }, { ap: 1, steps: 2 }),
    build: (invocation) => buildLimbs(invocation, limbCount),
  };
};

function buildLimbs(invocation: InvocationBuilder, limbCount: number): CompiledInvocation {
  const limbs = invocation.args[0] ?? [];
  const b = new CasmBuilder();
  const lhs = limbs.slice(0, limbCount).map((limb) => b.add(limb));
  const rhs = limbs.slice(limbCount).map((limb) => b.add(limb));
  const lhsHighest = derefInput(b, limbs[limbCount - 1]);
  const rhsHighest = derefInput(b, limbs[2 * limbCount - 1]);
  const difference = b.tempvar(b.difference(rhsHighest, lhsHighest));
  b.jumpNz(difference, "CheckLimb");
  const lowerLimbs = [...lhs.slice(0, -1), ...rhs.slice(0, -1)];
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [lowerLimbs] },
    { label: "CheckLimb", outputs: [[difference]], target: invocation.target(1) },
  ]);
}

/** Returns the guarantee that the difference of the only limbs is a limb. */
export const u96SingleLimbLessThanGuaranteeVerify: Specialize = (context, args) => {
  noArguments(args);
  const limb = deferredOutput(context.find("U96Guarantee"));
  return {
    signature: straight([lessThanGuarantee(context, 1)], [limb], "new_vars_only"),
    ...steady({ ap: 0 }),
    build: buildSingleLimb,
  };
};

function buildSingleLimb(invocation: InvocationBuilder): CompiledInvocation {
  const [lhs, rhs] = invocation.args[0] ?? [];
  const b = new CasmBuilder();
  const smaller = derefInput(b, lhs);
  const difference = b.difference(derefInput(b, rhs), smaller);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[difference]] }]);
}
