import type { CellExpression } from "../casm/cell-expression.ts";
import type { CostToken } from "../libfunc/branch-cost.ts";
import type { BranchSignature } from "../libfunc/signature.ts";
import { requireForms } from "./output-forms.ts";
import type { IntroductionPoint, ReferenceValue } from "./reference-value.ts";

/** What a branch of built code did to `ap`. */
export interface ApEffect {
  /** Cells that it moved; `undefined` when that is unknown. */
  readonly cells: number | undefined;
  readonly tracking: "enable" | "disable" | "keep";
}

/** A value that a branch gives. */
export interface OutputValue {
  readonly cells: readonly CellExpression[];
  readonly type: number;
  readonly stackIndex: number | undefined;
  /** `undefined` for one that this branch makes. */
  readonly introduction: IntroductionPoint | undefined;
}

/** What a branch of an invocation changes in what is known. */
export interface BranchChange {
  readonly outputs: readonly OutputValue[];
  readonly ap: ApEffect;
  /** Gas that it takes. */
  readonly gas: ReadonlyMap<CostToken, number>;
  /** Whether other values are no longer on the known part of the stack. */
  readonly clearsStack: boolean;
  /** Values on the known part of the stack, were none consumed. */
  readonly stackSize: number;
}

/** A branch of built code, and what is said of it. */
export interface BuiltBranch {
  readonly signature: BranchSignature;
  /** Per output. */
  readonly cells: readonly (readonly CellExpression[])[];
  readonly ap: ApEffect;
  readonly gas: ReadonlyMap<CostToken, number>;
}

/**
 * What a built branch changes. Its outputs are in the form that its signature says.
 *
 * @param stackSize - of the known part of the stack before
 * @throws {InvariantError} when they are in another form
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
