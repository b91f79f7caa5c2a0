import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import {
  builtinOutput,
  deferredOutput,
  forked,
  sameOutput,
  simpleOutput,
  tempOutput,
} from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { cellPair, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { boxOf, snapshotOf } from "../shared/types.ts";
import { arraySnapshotOf, sharedMember } from "./types.ts";

/** Removes as many elements from an array snapshot as a tuple has; branches when there are fewer. */
function multiPop(end: "front" | "back"): Specialize {
  return (context, args) => {
    const popped = typeArgument(args);
    const array = arraySnapshotOf(context, sharedMember(context, popped));
    const rangeCheck = context.find("RangeCheck");
    const box = snapshotOf(context, boxOf(context, popped));
    const tuple = end === "front" ? deferredOutput(box) : tempOutput(box, 0);
    return {
      signature: forked(
        [rangeCheck, array],
        { variables: [builtinOutput(rangeCheck), simpleOutput(array), tuple], apChange: "other" },
        { variables: [builtinOutput(rangeCheck), sameOutput(array, 1)], apChange: "other" },
      ),
      ...steady({ ap: 3, steps: 4, rangeChecks: 1 }, { ap: 3, steps: 5, rangeChecks: 1 }),
      build: (invocation) => buildMultiPop(invocation, end, invocation.info.sizeOf(popped)),
    };
  };
}

function buildMultiPop(
  invocation: InvocationBuilder,
  end: "front" | "back",
  poppedSize: number,
): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 1);
  const [arrayStart, arrayEnd] = cellPair(b, invocation, 1);
  branchWhenFewer(b, { rangeCheck, arrayStart, arrayEnd }, poppedSize);
  const size = b.constant(poppedSize);
  const restSize = b.tempvar();
  let outputs: Var[][];
  if (end === "front") {
    const newStart = b.tempvar(b.sum(arrayStart, size));
    b.assertEq(restSize, b.difference(arrayEnd, newStart));
    outputs = [[rangeCheck], [newStart, arrayEnd], [arrayStart]];
  } else {
    const newEnd = b.tempvar(b.difference(arrayEnd, size));
    b.assertEq(restSize, b.difference(newEnd, arrayStart));
    outputs = [[rangeCheck], [arrayStart, newEnd], [newEnd]];
  }
  rangeChecked(b, rangeCheck, restSize);
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs },
      {
        label: "Failure",
        outputs: [[rangeCheck], [arrayStart, arrayEnd]],
        target: invocation.target(1),
      },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Jumps to `Failure` when the array has fewer cells, as proved by a range check; otherwise continues. */
function branchWhenFewer(
  b: CasmBuilder,
  pointers: { readonly rangeCheck: Var; readonly arrayStart: Var; readonly arrayEnd: Var },
  poppedSize: number,
): void {
  const { rangeCheck, arrayStart, arrayEnd } = pointers;
  const poppedEnd = b.sum(arrayStart, b.constant(poppedSize));
  const hasEnough = b.tempvar();
  b.hint("TestLessThanOrEqualAddress", { lhs: poppedEnd, rhs: arrayEnd }, { dst: hasEnough });
  b.jumpNz(hasEnough, "HasEnough");
  const minusLength = b.tempvar(b.difference(arrayStart, arrayEnd));
  const missing = b.tempvar(b.sum(minusLength, b.constant(poppedSize - 1)));
  rangeChecked(b, rangeCheck, missing);
  b.jump("Failure");
  b.label("HasEnough");
}

/** Libfuncs that remove several elements from an array. */
export const ARRAY_MULTI_POP_LIBFUNCS: LibfuncFamily = {
  array_snapshot_multi_pop_front: multiPop("front"),
  array_snapshot_multi_pop_back: multiPop("back"),
};
