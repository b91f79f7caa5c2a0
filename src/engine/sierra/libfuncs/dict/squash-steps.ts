import { invariant } from "#base/errors/index.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import { FIXED_SQUASH_COST, REPEATED_ACCESS_COST, UNIQUE_KEY_COST } from "./costs.ts";

/**
 * Step counter for the squash code, by repetition: fixed, per key, or per repeated access. The counts are
 * maxima.
 */
export class SquashSteps {
  readonly #b: CasmBuilder;
  #fixed = 0;
  #perKey = 0;
  #perRepeatedAccess = 0;

  constructor(b: CasmBuilder) {
    this.#b = b;
  }

  /** Counts the steps since the last count as executed once. */
  countFixed(): void {
    this.#fixed += this.#stepsSinceLastCount();
  }

  /** Counts the steps since the last count as executed per key. */
  countPerKey(): void {
    this.#perKey += this.#stepsSinceLastCount();
  }

  /** Counts the steps since the last count as executed per repeated access to a key. */
  countPerRepeatedAccess(): void {
    this.#perRepeatedAccess += this.#stepsSinceLastCount();
  }

  /** Asserts that the code has exactly the charged number of steps. */
  requirePaid(): void {
    invariant(this.#fixed === FIXED_SQUASH_COST.steps, "fixed steps of a squash are paid for");
    invariant(this.#perKey === UNIQUE_KEY_COST.steps, "steps of a key are paid for");
    invariant(
      this.#perRepeatedAccess === REPEATED_ACCESS_COST.steps,
      "steps of a repeated access are paid for",
    );
  }

  #stepsSinceLastCount(): number {
    const { steps } = this.#b;
    this.#b.resetSteps();
    return steps;
  }
}
