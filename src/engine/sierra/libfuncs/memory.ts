import { assertion } from "../casm/assertion.ts";
import { type CellExpression, expressionAfter } from "../casm/cell-expression.ts";
import type { Instruction } from "../casm/instruction.ts";
import { apCell, type CellRef, deref } from "../casm/operand.ts";
import { CompileError } from "../compile-error.ts";
import { known } from "../libfunc/ap-change.ts";
import { typeArgument } from "../libfunc/arguments.ts";
import { regularCost } from "../libfunc/branch-cost.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import { emptyOutput, straight, tempOutput } from "../libfunc/signatures.ts";
import type {
  LibfuncFamily,
  SpecializationContext,
  Specialize,
} from "../libfunc/specialization.ts";
import { allocLocal, finalizeLocals, localOutput } from "./locals.ts";
import { reinterpretation } from "./shared/identity.ts";
import { unsupported, wrapped } from "./shared/types.ts";

/** Libfuncs that allocate memory and store values. */
export const MEM_LIBFUNCS: LibfuncFamily = {
  alloc_local: allocLocal,
  finalize_locals: finalizeLocals,
  rename: (_context, args) => {
    const type = typeArgument(args);
    return reinterpretation(type, type);
  },
  store_local: storeLocal,
  store_temp: storeTemp,
};

/** Stores a value in new cells at the top of the stack. */
function storeTemp(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = storableArgument(context, args);
  const output = context.typeOf(type).info.zeroSized ? emptyOutput(type) : tempOutput(type, 0);
  return {
    signature: straight([type], [output], "new_vars_only"),
    apChanges: (info) => [known(info.sizeOf(type))],
    costs: (info) => [regularCost({ steps: info.sizeOf(type) })],
    build: buildStoreTemp,
  };
}

/** Stores a value in an allocated local; its cells were paid for as holes. */
function storeLocal(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = storableArgument(context, args);
  const local = wrapped(context, "Uninitialized", type);
  return {
    signature: straight([local, type], [localOutput(context, type, type)], "new_vars_only"),
    apChanges: () => [known(0)],
    costs: (info) => {
      const size = info.sizeOf(type);
      return [regularCost({ steps: size, holes: -size })];
    },
    build: buildStoreLocal,
  };
}

function storableArgument(context: SpecializationContext, args: Parameters<Specialize>[1]): number {
  const type = typeArgument(args);
  return context.typeOf(type).info.storable ? type : unsupported("a type that can be stored");
}

function buildStoreTemp(invocation: InvocationBuilder): CompiledInvocation {
  const [value = []] = invocation.args;
  const instructions = value.map((cell, i) => store(apCell(0), after(cell, i), true));
  const cells = value.map((_, i) => deref(apCell(i - value.length)));
  return invocation.finishPlain(instructions, [], [[cells]]);
}

function buildStoreLocal(invocation: InvocationBuilder): CompiledInvocation {
  const [local = [], value = []] = invocation.args;
  const targets = local.map((cell) => (cell.kind === "deref" ? cell.cell : refuse()));
  const instructions = value.map((cell, i) => store(targets[i] ?? refuse(), cell, false));
  return invocation.finishPlain(instructions, [], [[local]]);
}

function store(target: CellRef, value: CellExpression, incAp: boolean): Instruction {
  return { body: { kind: "assert_eq", ...assertion(target, value) }, incAp, hints: [] };
}

function after(cell: CellExpression, cells: number): CellExpression {
  return expressionAfter(cell, cells) ?? refuse();
}

function refuse(): never {
  throw new CompileError("SIERRA_INVALID", "a value cannot be stored: its cells are out of reach");
}
