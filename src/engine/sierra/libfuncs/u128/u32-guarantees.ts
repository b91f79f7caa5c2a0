import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { simpleOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { boundArgs } from "../shared/integer-ranges.ts";
import { steady } from "../shared/steady.ts";

const U32_BOUND = 2n ** 32n;

/**
 * Returns the four 32-bit words of an integer, lowest first, each with a guarantee that must be verified
 * later.
 */
export function toU32Guarantees(
  context: SpecializationContext,
  args: readonly GenericArgument[],
): Libfunc {
  noArguments(args);
  const u128 = context.find("u128");
  const word = simpleOutput(context.find("BoundedIntGuarantee", boundArgs(0n, U32_BOUND - 1n)));
  return {
    signature: straight([u128], [word, word, word, word], "other"),
    ...steady({ ap: 9, steps: 7 }),
    build: buildU32Guarantees,
  };
}

function buildU32Guarantees(invocation: InvocationBuilder): CompiledInvocation {
  const [input] = invocation.singles();
  const b = new CasmBuilder();
  const value = derefInput(b, input);
  const rhs = b.constant(U32_BOUND);
  const shifted123 = b.tempvar();
  const shifted23 = b.tempvar();
  const shifted3 = b.tempvar();
  const words123 = b.tempvar();
  const words23 = b.tempvar();
  const word0 = b.tempvar();
  const word1 = b.tempvar();
  const word2 = b.tempvar();
  const word3 = b.tempvar();
  b.hint("DivMod", { lhs: value, rhs }, { quotient: words123, remainder: word0 });
  b.hint("DivMod", { lhs: words123, rhs }, { quotient: words23, remainder: word1 });
  b.hint("DivMod", { lhs: words23, rhs }, { quotient: word3, remainder: word2 });
  b.addAp(3);
  b.assertEq(shifted123, b.product(words123, rhs));
  b.assertEq(value, b.sum(shifted123, word0));
  b.assertEq(shifted23, b.product(words23, rhs));
  b.assertEq(words123, b.sum(shifted23, word1));
  b.assertEq(shifted3, b.product(word3, rhs));
  b.assertEq(words23, b.sum(shifted3, word2));
  const outputs = [[word0], [word1], [word2], [word3]];
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs }]);
}
