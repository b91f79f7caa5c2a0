import { deref, fpCell, immediate, isOffset } from "../casm/operand.ts";
import { CompileError } from "../compile-error.ts";
import { noArguments, typeArgument } from "../libfunc/arguments.ts";
import { regularCost } from "../libfunc/branch-cost.ts";
import type {
  CompiledInvocation,
  FrameState,
  InvocationBuilder,
} from "../libfunc/invocation-builder.ts";
import type { OutputVariable } from "../libfunc/signature.ts";
import { emptyOutput, straight } from "../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../libfunc/specialization.ts";
import { wrapped } from "./shared/types.ts";

/** Specializes `alloc_local`: allocates cells relative to `fp` for a value that is stored later. */
export const allocLocal: Specialize = (context, args) => {
  const type = typeArgument(args);
  const local = wrapped(context, "Uninitialized", type);
  return {
    signature: straight([], [localOutput(context, local, type)], "new_vars_only"),
    apChanges: (info) => [{ kind: "at_locals_finalization", cells: info.sizeOf(type) }],
    costs: (info) => [regularCost({ holes: info.sizeOf(type) })],
    build: (invocation) => buildAllocLocal(invocation, invocation.info.sizeOf(type)),
  };
};

/** Specializes `finalize_locals`: moves `ap` past the cells of the locals. */
export const finalizeLocals: Specialize = (_context, args) => {
  noArguments(args);
  return {
    signature: straight([], [], "other"),
    apChanges: () => [{ kind: "finalize_locals" }],
    costs: () => [regularCost({ steps: 1 })],
    build: buildFinalizeLocals,
  };
};

/**
 * Creates an output in cells relative to `fp`, of type `output`; `type` determines whether it has
 * cells.
 */
export function localOutput(
  context: SpecializationContext,
  output: number,
  type: number,
): OutputVariable {
  return context.typeOf(type).info.zeroSized
    ? emptyOutput(output)
    : { type: output, reference: { kind: "new_local_var" } };
}

function buildAllocLocal(invocation: InvocationBuilder, size: number): CompiledInvocation {
  const { allocated, first } = openFrame(invocation, "alloc_local");
  const slot = first + allocated;
  if (!isOffset(slot + size)) throw invalid("alloc_local: too many locals");
  const cells = Array.from({ length: size }, (_, i) => deref(fpCell(slot + i)));
  const frame: FrameState = { kind: "allocating", allocated: allocated + size, first };
  return invocation.finishPlain([], [], [[cells]], frame);
}

function buildFinalizeLocals(invocation: InvocationBuilder): CompiledInvocation {
  const { allocated } = openFrame(invocation, "finalize_locals");
  const move = { kind: "add_ap", operand: immediate(allocated) } as const;
  return invocation.finishPlain([{ body: move, incAp: false, hints: [] }], [], [[]], {
    kind: "finalized",
    allocated,
  });
}

/**
 * Frame while locals can be allocated. At the first local, the offset of `ap` from the start of the function
 * must be known; it then stays fixed.
 */
function openFrame(
  { frame, apTracking }: InvocationBuilder,
  libfunc: string,
): { readonly allocated: number; readonly first: number } {
  if (apTracking.kind === "enabled" && apTracking.base === undefined) {
    if (frame.kind === "before") return { allocated: 0, first: apTracking.cells };
    if (frame.kind === "allocating" && frame.first === apTracking.cells) return frame;
  }
  throw invalid(`${libfunc} is not allowed at this point`);
}

function invalid(message: string): CompileError {
  return new CompileError("SIERRA_INVALID", message);
}
