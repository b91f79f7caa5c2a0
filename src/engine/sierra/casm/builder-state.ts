import { invariant } from "#base/errors/index.ts";
import { adjustedExpression, type CellExpression, isSameExpression } from "./cell-expression.ts";

/** Handle of a value in code under construction. */
export type Var = number & { readonly brand: unique symbol };

/**
 * Known facts at a position of the code: values relative to the initial `ap`, number of allocated cells,
 * change of `ap`, and number of steps.
 */
export class BuilderState {
  vars = new Map<Var, CellExpression>();
  /** Number of cells assigned to variables. */
  allocated = 0;
  apChange = 0;
  steps = 0;

  /** Value of a variable, relative to the initial `ap`. */
  get(variable: Var): CellExpression {
    const value = this.vars.get(variable);
    invariant(value !== undefined, "a variable is known where it is used");
    return value;
  }

  /** Value of a variable, relative to the current `ap`. */
  adjusted(variable: Var): CellExpression {
    return adjustedExpression(this.get(variable), this.apChange);
  }

  copy(): BuilderState {
    const copy = new BuilderState();
    copy.vars = new Map(this.vars);
    copy.allocated = this.allocated;
    copy.apChange = this.apChange;
    copy.steps = this.steps;
    return copy;
  }

  /** Asserts that all allocated cells have been written. */
  requireComplete(): void {
    invariant(this.apChange >= this.allocated, "ap has passed every allocated cell");
  }

  /**
   * Merges with the state of another branch: keeps only the values known in both. Both must agree on `ap`.
   *
   * @param isFinal - whether the label is already placed, so that the state must not change
   */
  meet(other: BuilderState, isFinal: boolean): void {
    invariant(this.apChange === other.apChange, "branches that meet agree on ap");
    invariant(this.allocated === other.allocated, "branches that meet allocated as many cells");
    if (isFinal) invariant(this.steps >= other.steps, "a backward jump is not longer");
    else this.steps = Math.max(this.steps, other.steps);
    for (const [variable, value] of this.vars) {
      const met = other.vars.get(variable);
      if (met === undefined) this.vars.delete(variable);
      else invariant(isSameExpression(met, value), "branches that meet agree on values");
    }
  }
}
