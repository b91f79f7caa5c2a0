import { type CellExpression, cellPlus, cellWithOffset } from "../../casm/cell-expression.ts";
import { adjustedCell, apCell, isOffset } from "../../casm/operand.ts";
import { CompileError } from "../../compile-error.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { BranchSignature, LibfuncSignature, OutputVariable } from "../../libfunc/signature.ts";
import { deferredOutput, emptyOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import { boxOf, snapshotOf, withoutSnapshot } from "../shared/types.ts";
import { finishMatch, matchTables } from "./branches.ts";
import { paddings, variantTypes } from "./variants.ts";

/** Branches on the variant of an enum, and returns its value. */
export const enumMatch: Specialize = (context, args) => {
  const type = typeArgument(args);
  return matchOf(context, type, type, false);
};

/** Branches on the variant of an enum snapshot, and returns the snapshot of its value. */
export const enumSnapshotMatch: Specialize = (context, args) => {
  const type = typeArgument(args);
  return matchOf(context, type, snapshotOf(context, type), true);
};

function matchOf(
  context: SpecializationContext,
  type: number,
  param: number,
  isSnapshot: boolean,
): ReturnType<Specialize> {
  const { variants, outputs } = variantTypes(context, type, isSnapshot);
  const variables = outputs.map((output, i) => {
    const variant = variants[i];
    return variant !== undefined && context.typeOf(variant).info.zeroSized
      ? emptyOutput(output)
      : deferredOutput(output);
  });
  return {
    signature: branching(param, variables, "new_vars_only"),
    ...matchTables(variants.length, 0),
    build: (invocation) => buildMatch(invocation, type, variants),
  };
}

/** Signature with one output per branch; the first branch continues with the next statement. */
function branching(
  param: number,
  outputs: readonly OutputVariable[],
  apChange: BranchSignature["apChange"],
): LibfuncSignature {
  return {
    params: [param],
    branches: outputs.map((output) => ({ variables: [output], apChange })),
    fallthrough: outputs.length === 0 ? undefined : 0,
  };
}

function buildMatch(
  invocation: InvocationBuilder,
  type: number,
  variants: readonly number[],
): CompiledInvocation {
  const [[selector, ...value] = []] = invocation.args;
  if (selector?.kind !== "deref" || value.length + 1 !== invocation.info.sizeOf(type)) {
    return refuse("is not stored");
  }
  const outputs = paddings(invocation, variants).map((padding) => value.slice(padding));
  return finishMatch(invocation, selector.cell, [], outputs);
}

/** Branches on the variant of a boxed enum or enum snapshot, and returns the box of its value. */
export const enumBoxedMatch: Specialize = (context, args) => {
  const argument = typeArgument(args);
  const { type, isSnapshot } = withoutSnapshot(context, argument);
  const { variants, outputs } = variantTypes(context, type, isSnapshot);
  const boxes = outputs.map((output) => deferredOutput(boxOf(context, output)));
  const apChange = variants.length <= 1 ? "new_vars_only" : "other";
  return {
    signature: branching(boxOf(context, argument), boxes, apChange),
    ...matchTables(variants.length, 1),
    build: (invocation) => buildBoxedMatch(invocation, variants),
  };
};

function buildBoxedMatch(
  invocation: InvocationBuilder,
  variants: readonly number[],
): CompiledInvocation {
  if (variants.length === 0) return invocation.finishPlain([], [], []);
  const [pointer] = invocation.singles();
  const parts = pointer === undefined ? undefined : cellWithOffset(pointer);
  const offset = Number(parts?.offset);
  if (parts === undefined || !isOffset(offset)) return refuse("is not a cell with a small number");
  const { cell } = parts;
  const isLoaded = variants.length > 1;
  const enumPointer = isLoaded ? adjustedCell(cell, 1) : cell;
  const outputs = paddings(invocation, variants).map((padding): CellExpression[] => [
    cellPlus(enumPointer, BigInt(offset + 1 + padding)),
  ]);
  const load = {
    body: { kind: "assert_eq", a: apCell(0), b: { kind: "double_deref", cell, offset } },
    incAp: true,
    hints: [],
  } as const;
  return finishMatch(invocation, apCell(-1), isLoaded ? [load] : [], outputs);
}

function refuse(problem: string): never {
  throw new CompileError("SIERRA_INVALID", `the argument of an enum libfunc ${problem}`);
}
