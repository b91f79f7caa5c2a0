import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { derefOrImmediateInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { builtinOutput, deferredOutput, forked, straight } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, cellPair, rangeCheckedCode } from "../shared/operands.ts";
import { rangeChecked, rangeChecksBetween } from "../shared/range-checks.ts";
import { steady } from "../shared/steady.ts";
import { boxOf, snapshotOf } from "../shared/types.ts";
import { arraySnapshotOf } from "./types.ts";

type Tables = Pick<Libfunc, "apChanges" | "costs">;

/** Selects tables by element size: for one-cell elements, the element count is the cell count. */
function bySize(element: number, ofOneCell: Tables, ofMore: Tables): Tables {
  return {
    apChanges: (info) => (info.sizeOf(element) === 1 ? ofOneCell : ofMore).apChanges(info),
    costs: (info) => (info.sizeOf(element) === 1 ? ofOneCell : ofMore).costs(info),
  };
}

const arrayLen: Specialize = (context, args) => {
  const element = typeArgument(args);
  const length = deferredOutput(context.find("u32"));
  return {
    signature: straight([arraySnapshotOf(context, element)], [length], "other"),
    ...bySize(element, steady({ ap: 0 }), steady({ ap: 1, steps: 1 })),
    build: (invocation) => buildLen(invocation, invocation.info.sizeOf(element)),
  };
};

function buildLen(invocation: InvocationBuilder, elementSize: number): CompiledInvocation {
  const b = new CasmBuilder();
  const [arrayStart, arrayEnd] = cellPair(b, invocation, 0);
  const cells = b.difference(arrayEnd, arrayStart);
  const length = elementSize === 1 ? cells : b.quotient(b.tempvar(cells), b.constant(elementSize));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[length]] }]);
}

const arrayGet: Specialize = (context, args) => {
  const element = typeArgument(args);
  const rangeCheck = context.find("RangeCheck");
  const array = arraySnapshotOf(context, element);
  const found = deferredOutput(boxOf(context, snapshotOf(context, element)));
  return {
    signature: forked(
      [rangeCheck, array, context.find("u32")],
      { variables: [builtinOutput(rangeCheck), found], apChange: "other" },
      { variables: [builtinOutput(rangeCheck)], apChange: "other" },
    ),
    ...bySize(
      element,
      steady({ ap: 4, steps: 5, rangeChecks: 1 }, { ap: 3, steps: 5, rangeChecks: 1 }),
      steady({ ap: 5, steps: 6, rangeChecks: 1 }, { ap: 4, steps: 6, rangeChecks: 1 }),
    ),
    build: (invocation) => buildGet(invocation, invocation.info.sizeOf(element)),
  };
};

/**
 * Builds the code that gets the element at an index, or fails beyond the end of the array. One range check
 * suffices: an index below 2^32 and an element size below 2^15 cells give an offset below 2^47.
 */
function buildGet(invocation: InvocationBuilder, elementSize: number): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 1);
  const [arrayStart, arrayEnd] = cellPair(b, invocation, 1);
  const index = cellArgument(b, invocation, 2);
  const length = b.tempvar(b.difference(arrayEnd, arrayStart));
  const offset = b.maybeTempvar(b.product(index, b.constant(elementSize)));
  const isInRange = b.tempvar();
  b.hint("TestLessThan", { lhs: offset, rhs: length }, { dst: isInRange });
  b.jumpNz(isInRange, "InRange");
  rangeChecked(b, rangeCheck, b.tempvar(b.difference(offset, length)));
  b.jump("Failure");
  b.label("InRange");
  const next = b.tempvar(b.sum(offset, b.constant(1)));
  rangeChecked(b, rangeCheck, b.tempvar(b.difference(length, next)));
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [b.sum(arrayStart, offset)]] },
      { label: "Failure", outputs: [[rangeCheck]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}

const arraySlice: Specialize = (context, args) => {
  const element = typeArgument(args);
  const rangeCheck = context.find("RangeCheck");
  const array = arraySnapshotOf(context, element);
  const index = context.find("u32");
  return {
    signature: forked(
      [rangeCheck, array, index, index],
      { variables: [builtinOutput(rangeCheck), deferredOutput(array)], apChange: "other" },
      { variables: [builtinOutput(rangeCheck)], apChange: "other" },
    ),
    ...bySize(
      element,
      steady({ ap: 4, steps: 5, rangeChecks: 1 }, { ap: 5, steps: 7, rangeChecks: 1 }),
      steady({ ap: 6, steps: 7, rangeChecks: 1 }, { ap: 6, steps: 8, rangeChecks: 1 }),
    ),
    build: (invocation) => buildSlice(invocation, invocation.info.sizeOf(element)),
  };
};

function buildSlice(invocation: InvocationBuilder, elementSize: number): CompiledInvocation {
  const { b, rangeCheck, start } = rangeCheckedCode(invocation, 1);
  const [arrayStart, arrayEnd] = cellPair(b, invocation, 1);
  const sliceStart = cellArgument(b, invocation, 2);
  const sliceLength = derefOrImmediateInput(b, invocation.args[3]?.[0]);
  const size = b.constant(elementSize);
  const length = b.tempvar(b.difference(arrayEnd, arrayStart));
  const sliceEnd = b.tempvar(b.sum(sliceStart, sliceLength));
  const endOffset = b.maybeTempvar(b.product(sliceEnd, size));
  const isInRange = b.tempvar();
  b.hint("TestLessThanOrEqual", { lhs: endOffset, rhs: length }, { dst: isInRange });
  b.jumpNz(isInRange, "InRange");
  const tooLong = b.tempvar(b.sum(length, b.constant(1)));
  rangeChecked(b, rangeCheck, b.tempvar(b.difference(endOffset, tooLong)));
  b.jump("Failure");
  b.label("InRange");
  rangeChecked(b, rangeCheck, b.tempvar(b.difference(length, endOffset)));
  const startOffset = b.maybeTempvar(b.product(sliceStart, size));
  const slice = [b.sum(arrayStart, startOffset), b.sum(arrayStart, endOffset)];
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], slice] },
      { label: "Failure", outputs: [[rangeCheck]], target: invocation.target(1) },
    ],
    rangeChecksBetween(start, rangeCheck),
  );
}

/** Libfuncs that read from arrays. */
export const ARRAY_ACCESS_LIBFUNCS: LibfuncFamily = {
  array_len: arrayLen,
  array_get: arrayGet,
  array_slice: arraySlice,
};
