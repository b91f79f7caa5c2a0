import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { deferredOutput, forked, sameOutput } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { cellPair } from "../shared/operands.ts";
import { steady } from "../shared/steady.ts";
import { boxOf, snapshotOf } from "../shared/types.ts";
import { arrayOf, arraySnapshotOf } from "./types.ts";

/** Variant of a pop operation. */
interface Pop {
  readonly array: number;
  readonly element: number;
  /** Type of the removed element's box. */
  readonly box: number;
  readonly end: "front" | "back";
  /** Whether an empty array is consumed. */
  readonly consumes?: true;
}

/** Removes an element from an array; branches when the array is empty. */
function pop(options: Pop): Libfunc {
  const { array, element, box, consumes } = options;
  return {
    signature: forked(
      [array],
      { variables: [deferredOutput(array), deferredOutput(box)], apChange: "other" },
      { variables: consumes ? [] : [sameOutput(array, 0)], apChange: "other" },
    ),
    ...steady({ ap: 1, steps: 2 }, { ap: 1, steps: 3 }),
    build: (invocation) => buildPop(invocation, options, invocation.info.sizeOf(element)),
  };
}

function buildPop(
  invocation: InvocationBuilder,
  { end, consumes }: Pop,
  elementSize: number,
): CompiledInvocation {
  const b = new CasmBuilder();
  const [arrayStart, arrayEnd] = cellPair(b, invocation, 0);
  const isNonEmpty = b.tempvar(b.difference(arrayEnd, arrayStart));
  b.jumpNz(isNonEmpty, "NonEmpty");
  b.jump("Empty");
  b.label("NonEmpty");
  const size = b.constant(elementSize);
  const rest =
    end === "front"
      ? [b.sum(arrayStart, size), arrayEnd]
      : [arrayStart, b.difference(arrayEnd, size)];
  const element = end === "front" ? [arrayStart] : rest.slice(1);
  return invocation.finish(b, [
    { label: FALLTHROUGH, outputs: [rest, element] },
    {
      label: "Empty",
      outputs: consumes ? [] : [[arrayStart, arrayEnd]],
      target: invocation.target(1),
    },
  ]);
}

const arrayPopFront: Specialize = (context, args) => {
  const element = typeArgument(args);
  const array = arrayOf(context, element);
  return pop({ array, element, box: boxOf(context, element), end: "front" });
};

const arrayPopFrontConsume: Specialize = (context, args) => {
  const element = typeArgument(args);
  const array = arrayOf(context, element);
  return pop({ array, element, box: boxOf(context, element), end: "front", consumes: true });
};

/** Removes an element from an array snapshot; the result is a snapshot of the element. */
function snapshotPop(end: Pop["end"]): Specialize {
  return (context, args) => {
    const element = typeArgument(args);
    const array = arraySnapshotOf(context, element);
    return pop({ array, element, box: boxOf(context, snapshotOf(context, element)), end });
  };
}

/** Libfuncs that remove one element from an array. */
export const ARRAY_POP_LIBFUNCS: LibfuncFamily = {
  array_pop_front: arrayPopFront,
  array_pop_front_consume: arrayPopFrontConsume,
  array_snapshot_pop_front: snapshotPop("front"),
  array_snapshot_pop_back: snapshotPop("back"),
};
