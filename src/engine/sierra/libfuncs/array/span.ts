import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, forked, straight } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { cellArgument, cellPair } from "../shared/operands.ts";
import { FREE, steady } from "../shared/steady.ts";
import { boxOf, snapshotOf } from "../shared/types.ts";
import { arraySnapshotOf, sharedMember } from "./types.ts";

/** Converts a boxed struct with members of one type to a span: it has the same memory layout as an array. */
const spanFromTuple: Specialize = (context, args) => {
  const tuple = typeArgument(args);
  const span = arraySnapshotOf(context, sharedMember(context, tuple));
  const box = boxOf(context, snapshotOf(context, tuple));
  return {
    signature: straight([box], [deferredOutput(span)], "new_vars_only"),
    ...FREE,
    build: (invocation) => buildSpanFromTuple(invocation, invocation.info.sizeOf(tuple)),
  };
};

function buildSpanFromTuple(invocation: InvocationBuilder, tupleSize: number): CompiledInvocation {
  const b = new CasmBuilder();
  const start = cellArgument(b, invocation, 0);
  const end = b.sum(start, b.constant(tupleSize));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[start, end]] }]);
}

/** Converts a span to a boxed tuple; branches when the lengths differ. */
const tupleFromSpan: Specialize = (context, args) => {
  const tuple = typeArgument(args);
  const span = arraySnapshotOf(context, sharedMember(context, tuple));
  const box = snapshotOf(context, boxOf(context, tuple));
  return {
    signature: forked(
      [span],
      { variables: [deferredOutput(box)], apChange: "other" },
      { variables: [], apChange: "other" },
    ),
    ...steady({ ap: 2, steps: 3 }, { ap: 2, steps: 3 }),
    build: (invocation) => buildTupleFromSpan(invocation, invocation.info.sizeOf(tuple)),
  };
};

function buildTupleFromSpan(invocation: InvocationBuilder, tupleSize: number): CompiledInvocation {
  const b = new CasmBuilder();
  const [start, end] = cellPair(b, invocation, 0);
  const length = b.tempvar(b.difference(end, start));
  const excess = b.tempvar(b.difference(length, b.constant(tupleSize)));
  b.jumpNz(excess, "Failure");
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [[start]] },
    { label: "Failure", outputs: [], target: invocation.target(1) },
  ]);
}

/** Conversions between boxed tuples and spans. */
export const SPAN_LIBFUNCS: LibfuncFamily = {
  span_from_tuple: spanFromTuple,
  tuple_from_span: tupleFromSpan,
};
