import { apCell, deref, immediate } from "../casm/operand.ts";
import { typeArgument } from "../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import { deferredOutput, straight, tempOutput } from "../libfunc/signatures.ts";
import type {
  LibfuncFamily,
  SpecializationContext,
  Specialize,
} from "../libfunc/specialization.ts";
import type { GenericArgument } from "../program/program.ts";
import { FREE, steady } from "./shared/steady.ts";
import { boxOf, unsupported } from "./shared/types.ts";

const SEGMENT_LIMIT = 1n << 32n;

/** Libfuncs of constants. */
export const CONST_LIBFUNCS: LibfuncFamily = {
  const_as_box: constAsBox,
  const_as_immediate: constAsImmediate,
};

/** Returns a pointer to a constant in a segment of constants after the code. */
function constAsBox(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const { type, segment } = segmentArguments(args);
  const box = boxOf(context, constantValueType(context, type));
  return {
    signature: straight([], [tempOutput(box, 0)], "other"),
    ...steady({ ap: 3, steps: 3 }),
    build: (invocation) => buildAsBox(invocation, type, segment),
  };
}

function segmentArguments(args: readonly GenericArgument[]): {
  readonly type: number;
  readonly segment: number;
} {
  const [type, segment] = args;
  const isFitting =
    args.length === 2 &&
    segment?.kind === "value" &&
    0n <= segment.value &&
    segment.value < SEGMENT_LIMIT;
  return isFitting && type?.kind === "type"
    ? { type: type.type, segment: Number(segment.value) }
    : unsupported("a constant type and the number of a segment");
}

/**
 * The call pushes the address of the following instruction; the constant's distance is relative to that
 * second instruction.
 */
function buildAsBox(
  invocation: InvocationBuilder,
  type: number,
  segment: number,
): CompiledInvocation {
  const call = { kind: "call", target: immediate(0), relative: true } as const;
  // The constant follows the `ret` of its segment.
  const sum = { kind: "bin_op", op: "add", a: apCell(-1), b: immediate(1) } as const;
  const point = { kind: "assert_eq", a: apCell(0), b: sum } as const;
  return invocation.finishPlain(
    [
      { body: call, incAp: false, hints: [] },
      { body: point, incAp: true, hints: [] },
    ],
    [
      { instruction: 0, target: { kind: "segment", segment } },
      { instruction: 1, target: { kind: "const", segment, type } },
    ],
    [[[deref(apCell(-1))]]],
  );
}

/** Returns the cells of a constant as numbers. */
function constAsImmediate(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  const output = deferredOutput(constantValueType(context, type));
  return {
    signature: straight([], [output], "new_vars_only"),
    ...FREE,
    build: (invocation) =>
      invocation.rename([invocation.constCells(type).map((value) => immediate(value))]),
  };
}

function constantValueType(context: SpecializationContext, type: number): number {
  const { data } = context.typeOf(type);
  return data.kind === "const" ? data.inner : unsupported("a constant type");
}
