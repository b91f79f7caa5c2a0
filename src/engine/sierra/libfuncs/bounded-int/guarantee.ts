import { FALLTHROUGH } from "../../casm/code-flow.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { valuePair } from "../shared/argument-pairs.ts";
import { boundArgs } from "../shared/integer-ranges.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecksBetween, requireAtLeast, requireBelow } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { unsupported } from "../shared/types.ts";

const U32_BOUND = 2n ** 32n;

/**
 * Specializes the libfunc that verifies that the cell of an integer guarantee is within its bounds;
 * supports only bounds of 32 bits.
 */
export function guaranteeVerify(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  const [min, max] = valuePair(args);
  if (min !== 0n || max !== U32_BOUND - 1n) unsupported("the bounds of 32 bits");
  const rangeCheck = context.find("RangeCheck");
  const guarantee = context.find("BoundedIntGuarantee", boundArgs(min, max));
  return {
    signature: straight([rangeCheck, guarantee], [builtinOutput(rangeCheck)], "other"),
    ...steady({ ap: 1, steps: 3, rangeChecks: 2 }),
    build: buildGuaranteeVerify,
  };
}

function buildGuaranteeVerify(invocation: InvocationBuilder): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 2);
  const value = cellArgument(b, invocation, 1);
  requireAtLeast(b, rangeCheck, value, 0n);
  requireBelow(b, rangeCheck, value, U32_BOUND);
  const outputs = [[rangeCheck]];
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs }],
    rangeChecksBetween(start, rangeCheck),
  );
}
