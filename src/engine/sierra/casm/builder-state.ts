import { invariant } from "#base/errors/index.ts";
import { adjustedExpression, type CellExpression, isSameExpression } from "./cell-expression.ts";

/** A name for a value while code is built. */
export type Var = number & { readonly brand: unique symbol };

/**
 * What is known at a place of the code: values relative to `ap` at its beginning, how many cells were
 * taken, how far `ap` has come, and how many steps it took.
 */
export class BuilderState {
  vars = new Map<Var, CellExpression>();
  /** Cells that were given names. */
  allocated = 0;
  apChange = 0;
  steps = 0;

  /** The value of a name, relative to `ap` at the beginning. */
  get(variable: Var): CellExpression {
    const value = this.vars.get(variable);
    invariant(value !== undefined, "a variable is known where it is used");
    return value;
  }

  /** The value of a name, relative to `ap` now. */
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

  /** What was given a name has been written. */
  requireComplete(): void {
    invariant(this.apChange >= this.allocated, "ap has passed every cell that was taken");
  }

  /**
   * Keeps what is also known where `other` comes from. Both must agree on `ap`.
   *
   * @param isFinal - the label stands already: nothing may change
   */
  meet(other: BuilderState, isFinal: boolean): void {
    invariant(this.apChange === other.apChange, "branches that meet agree on ap");
    invariant(this.allocated === other.allocated, "branches that meet took as many cells");
    if (isFinal) invariant(this.steps >= other.steps, "a way back is not longer");
    else this.steps = Math.max(this.steps, other.steps);
    for (const [variable, value] of this.vars) {
      const met = other.vars.get(variable);
      if (met === undefined) this.vars.delete(variable);
      else invariant(isSameExpression(met, value), "branches that meet agree on values");
    }
  }
}
