import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments, typeArgument } from "../../libfunc/arguments.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { reinterpretation } from "../shared/identity.ts";
import { integerRangeOf } from "../shared/integer-ranges.ts";
import { steady } from "../shared/steady.ts";
import { unsupported } from "../shared/types.ts";
import { rangeChecks96Between } from "./range-checks-96.ts";
import { U96_BOUND } from "./types.ts";

/** Converts an integer whose type fits in 96 bits to a limb guarantee. */
export const intoU96Guarantee: Specialize = (context, args) => {
  const type = typeArgument(args);
  const { lower, upper } = integerRangeOf(context, type);
  if (lower < 0n || upper > U96_BOUND) unsupported("a type of integers of 96 bits");
  return reinterpretation(type, context.find("U96Guarantee"));
};

/** Consumes a guarantee: writes the limb to the range check builtin. */
export const u96GuaranteeVerify: Specialize = (context, args) => {
  noArguments(args);
  const rangeCheck96 = context.find("RangeCheck96");
  return {
    signature: straight(
      [rangeCheck96, context.find("U96Guarantee")],
      [builtinOutput(rangeCheck96)],
      "new_vars_only",
    ),
    ...steady({ ap: 0, steps: 1, rangeChecks96: 1 }),
    build: buildVerify,
  };
};

function buildVerify(invocation: InvocationBuilder): CompiledInvocation {
  const [builtin, guarantee] = invocation.singles();
  const b = new CasmBuilder();
  const rangeCheck96 = bufferInput(b, builtin, 0);
  const limb = derefInput(b, guarantee);
  const start = b.copy(rangeCheck96);
  b.assertEq(limb, b.next(rangeCheck96));
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[rangeCheck96]] }],
    rangeChecks96Between(start, rangeCheck96),
  );
}
