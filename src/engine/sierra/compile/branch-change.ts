import type { CellExpression } from "../casm/cell-expression.ts";
import type { CostToken } from "../libfunc/branch-cost.ts";
import type { BranchSignature } from "../libfunc/signature.ts";
import { requireForms } from "./output-forms.ts";
import type { IntroductionPoint, ReferenceValue } from "./reference-value.ts";

/** Effect of built code on `ap` in one branch. */
export interface ApEffect {
  /** Number of cells by which `ap` moved; `undefined` when unknown. */
  readonly cells: number | undefined;
  readonly tracking: "enable" | "disable" | "keep";
}

/** Output of a branch. */
export interface OutputValue {
  readonly cells: readonly CellExpression[];
  readonly type: number;
  readonly stackIndex: number | undefined;
  /** `undefined` for a value that this branch creates. */
  readonly introduction: IntroductionPoint | undefined;
}

/** Changes that a branch of an invocation makes to the known state. */
export interface BranchChange {
  readonly outputs: readonly OutputValue[];
  readonly ap: ApEffect;
  readonly gas: ReadonlyMap<CostToken, number>;
  /** Whether the other values leave the known part of the stack. */
  readonly clearsStack: boolean;
  /** Number of values on the known part of the stack if none were consumed. */
  readonly stackSize: number;
}

/** Branch of built code, with its signature and effects. */
export interface BuiltBranch {
  readonly signature: BranchSignature;
  readonly cells: readonly (readonly CellExpression[])[];
  readonly ap: ApEffect;
  readonly gas: ReadonlyMap<CostToken, number>;
}

/**
 * Computes the changes of a built branch. Its outputs must have the form that its signature declares.
 *
 * @param stackSize - size of the known part of the stack before the branch
 * @throws {InvariantError} when they have another form
 */
export function branchChange(
  branch: BuiltBranch,
  args: readonly ReferenceValue[],
  stackSize: number,
): BranchChange {
  const { signature, cells, ap, gas } = branch;
  const clearsStack = signature.apChange !== "new_vars_only";
  const base = clearsStack ? 0 : stackSize;
  const outputs = signature.variables.map(({ type, reference }, i): OutputValue => {
    const source = reference.kind === "same_as_param" ? args[reference.param] : undefined;
    const stackIndex =
      reference.kind === "new_temp_var"
        ? base + reference.index
        : clearsStack
          ? undefined
          : source?.stackIndex;
    return { cells: cells[i] ?? [], type, stackIndex, introduction: source?.introduction };
  });
  const newSize = outputs.reduce((size, each) => Math.max(size, (each.stackIndex ?? -1) + 1), base);
  requireForms(branch, newSize - base);
  return { outputs, ap, gas, clearsStack, stackSize: newSize };
}
