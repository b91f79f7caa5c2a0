import { invariant } from "#base/errors/index.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import { FIXED_SQUASH_COST, REPEATED_ACCESS_COST, UNIQUE_KEY_COST } from "./costs.ts";

/** Steps of the code of a squash, by how often they are done: at most these. */
export class SquashSteps {
  readonly #b: CasmBuilder;
  #fixed = 0;
  #perKey = 0;
  #perRepeatedAccess = 0;

  constructor(b: CasmBuilder) {
    this.#b = b;
  }

  /** The steps since the last count are done once. */
  countFixed(): void {
    this.#fixed += this.#taken();
  }

  /** The steps since the last count are done for each key. */
  countPerKey(): void {
    this.#perKey += this.#taken();
  }

  /** The steps since the last count are done for each further access to a key. */
  countPerRepeatedAccess(): void {
    this.#perRepeatedAccess += this.#taken();
  }

  /** The code has as many steps as are paid for. */
  requirePaid(): void {
    invariant(this.#fixed === FIXED_SQUASH_COST.steps, "fixed steps of a squash are paid for");
    invariant(this.#perKey === UNIQUE_KEY_COST.steps, "steps of a key are paid for");
    invariant(
      this.#perRepeatedAccess === REPEATED_ACCESS_COST.steps,
      "steps of a repeated access are paid for",
    );
  }

  #taken(): number {
    const { steps } = this.#b;
    this.#b.resetSteps();
    return steps;
  }
}
