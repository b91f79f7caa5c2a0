import { CompileError } from "../compile-error.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { References } from "./reference-value.ts";

/**
 * Maximum variables and cells known at the same time, summed over all pending statements. Every change of
 * `ap` creates new cells, so the garbage takes several times the memory of the live ones.
 */
const LIVE_LIMIT = 2 ** 18;

/** Maximum variables and cells over all statements. */
const TOTAL_LIMIT = 2 ** 27;

/**
 * Bounds time and memory of variable tracking: a small program can keep many variables, or few large ones,
 * alive across all its statements. Real programs are far below the limits.
 */
export class ReferenceBudget {
  #live = 0;
  #total = 0;

  /**
   * Counts the variables known at a statement.
   *
   * @returns their weight
   * @throws {CompileError} SIERRA_INVALID when a limit is exceeded
   */
  take(refs: References): number {
    let weight = refs.size;
    for (const { cells } of refs.values()) weight += cells.length;
    this.#live += weight;
    this.#total += weight;
    if (this.#live > LIVE_LIMIT || this.#total > TOTAL_LIMIT) refuse();
    return weight;
  }

  /** Releases the weight of a statement's variables. */
  giveBack(weight: number): void {
    this.#live -= weight;
  }
}

/**
 * Checks the number of cells before they are created: a few statements could exhaust memory before
 * {@link ReferenceBudget} counts them.
 *
 * @param types - types of the values
 * @throws {CompileError} SIERRA_INVALID when they exceed the budget's limit
 */
export function requireAffordable(types: Iterable<number>, info: ProgramInfo): void {
  let cells = 0;
  for (const type of types) {
    cells += info.sizeOf(type);
    if (cells > LIVE_LIMIT) refuse();
  }
}

function refuse(): never {
  throw new CompileError("SIERRA_INVALID", "too many variables are alive for too long");
}
