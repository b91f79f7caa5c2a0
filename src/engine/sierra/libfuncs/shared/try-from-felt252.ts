import { FIELD_PRIME } from "#base/primitives/index.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { LibfuncSignature } from "../../libfunc/signature.ts";
import { builtinOutput, forked, sameOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import { steady } from "./steady.ts";
import { proveUnderLimit } from "./under-limit.ts";

/** Signature with a range check pointer and a felt; returns the felt as another type, or branches. */
export function tryFromFelt252Signature(
  context: SpecializationContext,
  type: number,
): LibfuncSignature {
  const rangeCheck = context.find("RangeCheck");
  return forked(
    [rangeCheck, context.find("felt252")],
    { variables: [builtinOutput(rangeCheck), sameOutput(type, 1)], apChange: "other" },
    { variables: [builtinOutput(rangeCheck)], apChange: "other" },
  );
}

/** Converts a felt to a type of the values below `2^bits`, where `bits` is more than 128. */
export function wideTryFromFelt252(genericId: string, bits: bigint): Specialize {
  return (context, args) => {
    noArguments(args);
    return {
      signature: tryFromFelt252Signature(context, context.find(genericId)),
      ...steady({ ap: 5, steps: 7, rangeChecks: 3 }, { ap: 6, steps: 9, rangeChecks: 3 }),
      build: (invocation) => buildWideTryFromFelt252(invocation, 1n << bits),
    };
  };
}

function buildWideTryFromFelt252(invocation: InvocationBuilder, bound: bigint): CompiledInvocation {
  const [builtin, felt] = invocation.singles();
  const b = new CasmBuilder();
  const rangeCheck = bufferInput(b, builtin, 2);
  const value = derefInput(b, felt);
  const cells = [b.tempvar(), b.tempvar(), b.tempvar(), b.tempvar()] as const;
  const limit = b.constant(bound);
  const start = b.copy(rangeCheck);
  const isValid = b.tempvar();
  b.hint("TestLessThan", { lhs: value, rhs: limit }, { dst: isValid });
  b.jumpNz(isValid, "IsValidValue");
  const shifted = b.tempvar(b.difference(value, limit));
  proveUnderLimit(b, FIELD_PRIME - bound, shifted, rangeCheck, cells);
  b.jump("Failure");
  b.label("IsValidValue");
  proveUnderLimit(b, bound, value, rangeCheck, cells);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [value]] },
      { label: "Failure", outputs: [[rangeCheck]], target: invocation.target(1) },
    ],
    { builtins: [{ token: "RangeCheck", start, end: rangeCheck }] },
  );
}
