import { CompileError } from "../compile-error.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { References } from "./reference-value.ts";

/**
 * Variables and cells that are known at once, at all statements that wait for their turn. Cells are made
 * anew whenever `ap` moves: what is given up takes several times the memory of what is known.
 */
const LIVE_LIMIT = 2 ** 18;

/** Variables and cells that are known at all statements together. */
const TOTAL_LIMIT = 2 ** 27;

/**
 * Bounds memory and time of following variables: a small program can keep many of them, or few large
 * ones, alive over all of its statements. Real programs are far below.
 */
export class ReferenceBudget {
  #live = 0;
  #total = 0;

  /**
   * Variables are known at one more statement.
   *
   * @returns how much they are
   * @throws {CompileError} SIERRA_INVALID when that is too much
   */
  take(refs: References): number {
    let weight = refs.size;
    for (const { cells } of refs.values()) weight += cells.length;
    this.#live += weight;
    this.#total += weight;
    if (this.#live > LIVE_LIMIT || this.#total > TOTAL_LIMIT) refuse();
    return weight;
  }

  /** Variables are no longer known at a statement. */
  giveBack(weight: number): void {
    this.#live -= weight;
  }
}

/**
 * Cells that are about to be made, and will be known together, are not too many: a few statements could
 * ask for more than memory has before a budget sees them.
 *
 * @param types - of the values
 * @throws {CompileError} SIERRA_INVALID when a budget would not take them
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
