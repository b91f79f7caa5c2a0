import { invariant } from "#base/errors/index.ts";
import type { CellExpression } from "../casm/cell-expression.ts";
import type { Register } from "../casm/operand.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { BranchSignature, OutputReference } from "../libfunc/signature.ts";

/**
 * Outputs of a branch of built code: declared signature, actual cells, and the branch's change of `ap`
 * (`undefined` cells if unknown).
 */
export interface Outputs {
  readonly signature: BranchSignature;
  readonly cells: readonly (readonly CellExpression[])[];
  readonly ap: { readonly cells: number | undefined };
}

/**
 * Checks that the outputs of a branch have the sizes of their types.
 *
 * @throws {InvariantError} when they do not
 * @throws {CompileError} SIERRA_INVALID when a type has no values
 */
export function requireSizes(
  { signature, cells }: Pick<Outputs, "signature" | "cells">,
  info: ProgramInfo,
): void {
  signature.variables.forEach(({ type }, i) => {
    const isWhole = cells[i]?.length === info.sizeOf(type);
    invariant(isWhole, `output ${i} has the cells of its type`);
  });
}

/**
 * Checks that the outputs of a branch are at the locations that its signature declares. Outputs at the top of
 * the stack must be consecutive. If the signature demands it, they must account for the whole change of `ap`.
 *
 * @param newCount - number of outputs at the top of the stack
 * @throws {InvariantError} when they are elsewhere
 */
export function requireForms({ signature, cells, ap }: Outputs, newCount: number): void {
  const { variables } = signature;
  invariant(cells.length === variables.length, "a branch returns the outputs of its signature");
  const tops: (readonly CellExpression[] | undefined)[] = Array.from({ length: newCount });
  variables.forEach(({ reference }, i) => {
    const output = cells[i] ?? [];
    invariant(isOfForm(reference, output), `output ${i} is a ${reference.kind}`);
    if (reference.kind === "new_temp_var") tops[reference.index] = output;
  });
  const count = requireContiguous(tops);
  if (signature.apChange === "new_vars_only") {
    invariant(ap.cells === count, "ap moves by the cells of the outputs only");
  }
}

function isOfForm(reference: OutputReference, cells: readonly CellExpression[]): boolean {
  switch (reference.kind) {
    case "same_as_param":
      return true;
    case "zero_sized":
      return cells.length === 0;
    case "new_temp_var":
      return cells.length > 0 && cells.every((cell) => isCell(cell, "ap"));
    case "new_local_var":
      return cells.length > 0 && cells.every((cell) => isCell(cell, "fp"));
    case "simple_derefs":
      return cells.length > 0 && cells.every((cell) => cell.kind === "deref");
    case "deferred":
      return cells.length > 0;
  }
}

function isCell(cell: CellExpression, register: Register): boolean {
  return cell.kind === "deref" && cell.cell.register === register;
}

/** Checks that values are consecutive. @returns the number of their cells */
function requireContiguous(tops: readonly (readonly CellExpression[] | undefined)[]): number {
  let previous: number | undefined;
  let count = 0;
  for (const cells of tops) {
    invariant(cells !== undefined, "no value at the top of the stack is missing");
    for (const cell of cells) {
      const offset = cell.kind === "deref" ? cell.cell.offset : undefined;
      invariant(
        previous === undefined || offset === previous + 1,
        "values at the top of the stack come one after another",
      );
      previous = offset;
      count++;
    }
  }
  return count;
}
