import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { builtinOutput, straight, tempOutput } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";

/** The square of a root below this limit cannot exceed the field's prime. */
const ROOT_LIMIT = 2n ** 125n;

/** Square root, rounded down, of an integer of at most 128 bits. */
export function squareRoot(genericId: string, root: string): Specialize {
  return (context, args) => {
    noArguments(args);
    const rangeCheck = context.find("RangeCheck");
    const outputs = [builtinOutput(rangeCheck), tempOutput(context.find(root), 0)];
    return {
      signature: straight([rangeCheck, context.find(genericId)], outputs, "other"),
      ...steady({ ap: 6, steps: 9, rangeChecks: 4 }),
      build: buildSquareRoot,
    };
  };
}

function buildSquareRoot(invocation: InvocationBuilder): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 3);
  const value = cellArgument(b, invocation, 1);
  const fixedRoot = b.tempvar();
  const square = b.tempvar();
  const rest = b.tempvar();
  const twice = b.tempvar();
  const toNext = b.tempvar();
  const root = b.tempvar();
  b.hint("SquareRoot", { value }, { dst: root });
  // The root itself is also range-checked: a root that is large in the field could pass the shifted check.
  b.assertEq(fixedRoot, b.sum(root, b.constant(RANGE_CHECK_BOUND - ROOT_LIMIT)));
  rangeChecked(b, rangeCheck, root);
  rangeChecked(b, rangeCheck, fixedRoot);
  b.assertEq(square, b.product(root, root));
  b.assertEq(rest, b.difference(value, square));
  rangeChecked(b, rangeCheck, rest);
  // Verifies that the value is less than the square of the next integer: `value - root^2 <= 2 * root`.
  b.assertEq(twice, b.sum(root, root));
  b.assertEq(toNext, b.difference(twice, rest));
  rangeChecked(b, rangeCheck, toNext);
  const outputs = [[rangeCheck], [root]];
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs }],
    rangeChecksBetween(start, rangeCheck),
  );
}
