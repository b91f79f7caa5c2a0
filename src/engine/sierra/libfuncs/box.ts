import { CasmBuilder } from "../casm/casm-builder.ts";
import { cellPlus } from "../casm/cell-expression.ts";
import { FALLTHROUGH } from "../casm/code-flow.ts";
import { apCell, immediate } from "../casm/operand.ts";
import { CompileError } from "../compile-error.ts";
import { known } from "../libfunc/ap-change.ts";
import { typeArgument } from "../libfunc/arguments.ts";
import { regularCost } from "../libfunc/branch-cost.ts";
import { derefInput } from "../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import { deferredOutput, emptyOutput, straight, tempOutput } from "../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../libfunc/specialization.ts";
import { reinterpretationAround } from "./shared/identity.ts";
import { FREE, steady } from "./shared/steady.ts";
import { boxOf, snapshotOf } from "./shared/types.ts";

/** Libfuncs of boxes: values behind a pointer. */
export const BOX_LIBFUNCS: LibfuncFamily = {
  box_forward_snapshot: reinterpretationAround(
    (context, type) => snapshotOf(context, boxOf(context, type)),
    (context, type) => boxOf(context, snapshotOf(context, type)),
  ),
  into_box: intoBox,
  local_into_box: localIntoBox,
  unbox,
};

/** Writes a value to new memory. */
function intoBox(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  return {
    signature: straight([type], [tempOutput(boxOf(context, type), 0)], "new_vars_only"),
    apChanges: () => [known(1)],
    costs: (info) => [regularCost({ steps: Math.max(1, info.sizeOf(type)) })],
    build: buildIntoBox,
  };
}

function buildIntoBox(invocation: InvocationBuilder): CompiledInvocation {
  const [value = []] = invocation.args;
  const b = new CasmBuilder();
  if (value.length === 0) {
    // Nothing is written, so any non-zero address is valid.
    const address = b.tempvar(b.constant(1));
    return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[address]] }]);
  }
  const address = b.tempvar();
  b.hint("AllocConstantSize", { size: b.constant(value.length) }, { dst: address });
  for (const [i, cell] of value.entries()) b.assertEq(derefInput(b, cell), b.at(address, i));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[address]] }]);
}

/** Returns the address of a local: the function called at the end of the program pushes `fp`. */
function localIntoBox(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  return {
    signature: straight([type], [deferredOutput(boxOf(context, type))], "other"),
    ...steady({ ap: 2, steps: 2 }),
    build: buildLocalIntoBox,
  };
}

function buildLocalIntoBox(invocation: InvocationBuilder): CompiledInvocation {
  const [[first] = []] = invocation.args;
  const pushedFp = apCell(-2);
  const address = cellPlus(pushedFp, BigInt(offsetOf(first)));
  const body = { kind: "call", target: immediate(0), relative: true } as const;
  return invocation.finishPlain(
    [{ body, incAp: false, hints: [] }],
    [{ instruction: 0, target: { kind: "end_of_program" } }],
    [[[address]]],
  );
}

/** Offset from `fp` of a value's first cell; 0 for a value without cells. */
function offsetOf(first: InvocationBuilder["args"][number][number] | undefined): number {
  if (first === undefined) return 0;
  if (first.kind === "deref" && first.cell.register === "fp") return first.cell.offset;
  throw new CompileError("SIERRA_INVALID", "local_into_box: the argument is not a local");
}

/** Refers to the target of a pointer without code: it is read when it is stored. */
function unbox(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  const { zeroSized } = context.typeOf(type).info;
  const output = zeroSized ? emptyOutput(type) : deferredOutput(type);
  return {
    signature: straight([boxOf(context, type)], [output], "new_vars_only"),
    ...FREE,
    build: (invocation) => buildUnbox(invocation, invocation.info.sizeOf(type)),
  };
}

function buildUnbox(invocation: InvocationBuilder, size: number): CompiledInvocation {
  const [pointer] = invocation.singles();
  if (pointer?.kind !== "deref") {
    throw new CompileError("SIERRA_INVALID", "unbox: the argument is not in a cell");
  }
  const { cell } = pointer;
  const cells = Array.from(
    { length: size },
    (_, offset) => ({ kind: "double_deref", cell, offset }) as const,
  );
  return invocation.rename([cells]);
}
