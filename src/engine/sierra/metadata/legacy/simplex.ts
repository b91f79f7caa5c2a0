import { CompileError } from "../../compile-error.ts";
import { Effort, KEPT_TERMS, SEARCHED_TERMS } from "./effort.ts";
import type { LinearExpression } from "./linear-expression.ts";
import { NOTHING, Tableau, TINY } from "./tableau.ts";

/** A search for the least solutions of equations in variables that are not less than 0. */
export class SimplexSearch {
  readonly #tableau = new Tableau();
  readonly #effort = new Effort(SEARCHED_TERMS);
  /** Pivots since a sum became smaller; many of them may go in a circle. */
  #idle = 0;

  /** @param equations - each is to be 0; of variables that do the same the least one is taken first */
  constructor(equations: readonly LinearExpression[]) {
    for (const { terms, constant } of equations) this.#tableau.add(terms, -constant);
  }

  /**
   * Finds a solution: from one of a least sum that breaks equations, makes up for the most broken one
   * after the other, each in the way that adds least to the sum.
   *
   * @param target - variables whose sum is kept small
   * @throws {CompileError} SIERRA_INVALID when there is none
   */
  findFeasible(target: readonly number[]): void {
    const tableau = this.#tableau;
    const costs = new Map(target.map((variable) => [variable, 1]));
    for (let row = this.#mostBroken(); row !== NOTHING; row = this.#mostBroken()) {
      const entering = this.#cheapest(row, costs);
      if (entering === NOTHING) refuse("have no solution");
      this.#pivot(row, entering, costs);
    }
    for (const [row, basic] of tableau.basis.entries()) if (basic === NOTHING) this.#replace(row);
  }

  /** Makes the sum of variables as small as it gets, and keeps it so. */
  minimise(target: readonly number[]): void {
    const tableau = this.#tableau;
    const costs = new Map<number, number>();
    for (const variable of target) {
      const row = tableau.rowOf(variable);
      if (row === undefined) costs.set(variable, (costs.get(variable) ?? 0) + 1);
      else tableau.addRow(costs, row, -1);
    }
    this.#descend(costs);
    // What makes the sum greater is 0 in each of the best solutions.
    for (const [variable, cost] of costs) if (cost > TINY) tableau.remove(variable);
  }

  /** The value of a variable. @throws {CompileError} SIERRA_INVALID when it is no whole number */
  valueOf(variable: number): number {
    const row = this.#tableau.rowOf(variable);
    const value = row === undefined ? 0 : (this.#tableau.values[row] ?? 0);
    // Not the negative zero that rounding gives.
    const whole = Math.round(value) + 0;
    return Math.abs(value - whole) < ROUNDING ? whole : refuse("have no solution in whole numbers");
  }

  /** The row that is farthest from a value that its basic variable, or none, may have. */
  #mostBroken(): number {
    const { values, basis } = this.#tableau;
    let [worst, most] = [NOTHING, TINY];
    for (const [row, value] of values.entries()) {
      const broken = basis[row] === NOTHING ? Math.abs(value) : -value;
      if (broken > most) [worst, most] = [row, broken];
    }
    this.#effort.spend(values.length);
    return worst;
  }

  /** The variable that makes up for a row and adds least to a sum; of several the one that rounds least. */
  #cheapest(row: number, costs: ReadonlyMap<number, number>): number {
    const sign = (this.#tableau.values[row] ?? 0) < 0 ? -1 : 1;
    const terms = this.#tableau.rows[row] ?? new Map<number, number>();
    let [best, least, size] = [NOTHING, Infinity, 0];
    for (const [variable, signed] of terms) {
      const count = sign * signed;
      if (count <= SMALLEST_PIVOT) continue;
      const ratio = Math.max(0, costs.get(variable) ?? 0) / count;
      const isTie = Math.abs(ratio - least) <= TINY;
      const isBetter = count > size + TINY || (count > size - TINY && variable < best);
      if (isTie ? isBetter : ratio < least) [best, least, size] = [variable, ratio, count];
    }
    return best;
  }

  /** Makes a variable basic in a row of value 0, if there is one. */
  #replace(row: number): void {
    let [best, size] = [NOTHING, TINY];
    for (const [variable, count] of this.#tableau.rows[row] ?? []) {
      if (Math.abs(count) > size) [best, size] = [variable, Math.abs(count)];
    }
    if (best === NOTHING) return;
    this.#tableau.values[row] = 0;
    this.#spendPivot(row, best);
    this.#tableau.pivot(row, best);
  }

  /** Pivots until no variable makes the sum smaller. */
  #descend(costs: Map<number, number>): void {
    const tableau = this.#tableau;
    for (let entering = this.#entering(costs); entering !== NOTHING;) {
      const row = this.#leaving(entering);
      if (row === NOTHING) refuse("have no least solution");
      this.#idle = (tableau.values[row] ?? 0) > TINY ? 0 : this.#idle + 1;
      this.#pivot(row, entering, costs);
      entering = this.#entering(costs);
    }
  }

  /** Makes a variable basic in a row, and keeps the costs of those that are not. */
  #pivot(row: number, entering: number, costs: Map<number, number>): void {
    const tableau = this.#tableau;
    this.#effort.spend(costs.size);
    this.#spendPivot(row, entering);
    tableau.pivot(row, entering);
    const count = costs.get(entering);
    if (count === undefined) return;
    costs.delete(entering);
    tableau.addRow(costs, row, -count);
  }

  /** What a pivot takes: it may put each term of its row into each row with the variable. */
  #spendPivot(row: number, entering: number): void {
    const tableau = this.#tableau;
    const rows = tableau.rowsWith(entering).size;
    const terms = tableau.rows[row]?.size ?? 0;
    this.#effort.spend(rows * (1 + terms));
    if (tableau.size + rows * terms > KEPT_TERMS) refuse("have too many terms");
  }

  /** The variable that makes the sum smaller the most, or the first one that does when going idle. */
  #entering(costs: ReadonlyMap<number, number>): number {
    let [best, least] = [NOTHING, -TINY];
    const isCautious = this.#idle > IDLE_LIMIT;
    for (const [variable, cost] of costs) {
      if (cost >= -TINY) continue;
      const isBetter = isCautious
        ? best === NOTHING || variable < best
        : cost < least || (cost === least && variable < best);
      if (isBetter) [best, least] = [variable, cost];
    }
    return best;
  }

  /** The row whose basic variable becomes 0 first. */
  #leaving(entering: number): number {
    const tableau = this.#tableau;
    let [best, least, size] = [NOTHING, Infinity, 0];
    for (const row of tableau.rowsWith(entering)) {
      const count = tableau.rows[row]?.get(entering) ?? 0;
      if (count <= SMALLEST_PIVOT) continue;
      const ratio = (tableau.values[row] ?? 0) / count;
      const isTie = Math.abs(ratio - least) <= TINY;
      if (isTie ? this.#isBetterTie(row, count, best, size) : ratio < least) {
        [best, least, size] = [row, ratio, count];
      }
    }
    return best;
  }

  /** Of rows that tie the one that rounds least, or when going idle that of the first variable. */
  #isBetterTie(row: number, count: number, best: number, size: number): boolean {
    if (this.#idle <= IDLE_LIMIT) return count > size;
    return (this.#tableau.basis[row] ?? NOTHING) < (this.#tableau.basis[best] ?? NOTHING);
  }
}

function refuse(how: string): never {
  throw new CompileError("SIERRA_INVALID", `equations of gas or of ap ${how}`);
}

/** What is smaller is no divisor: it would make errors of rounding large. */
const SMALLEST_PIVOT = 1e-5;

/** Distance from a whole number that rounding explains. */
const ROUNDING = 1e-4;

/** Pivots without gain after which the choice is made that never goes in a circle. */
const IDLE_LIMIT = 100;
