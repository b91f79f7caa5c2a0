import { CompileError } from "../../compile-error.ts";
import { Effort, KEPT_TERMS, SEARCHED_TERMS } from "./effort.ts";
import type { LinearExpression } from "./linear-expression.ts";
import { NOTHING, Tableau, TINY } from "./tableau.ts";

/** Search for minimum solutions of equations in non-negative variables. */
export class SimplexSearch {
  readonly #tableau = new Tableau();
  readonly #effort = new Effort(SEARCHED_TERMS);
  /** Pivots since the sum last decreased; many of them may form a cycle. */
  #idle = 0;

  /**
   * @param equations - expressions that must be 0; of variables with the same effect, the lowest is used
   *   first
   */
  constructor(equations: readonly LinearExpression[]) {
    for (const { terms, constant } of equations) this.#tableau.add(terms, -constant);
  }

  /**
   * Finds a feasible solution. Starts from one that has the minimum sum but breaks equations, and repairs the
   * most broken one at a time, in the way that increases the sum least.
   *
   * @param target - variables whose sum is kept small
   * @throws {CompileError} SIERRA_INVALID when no solution exists
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

  /** Minimizes the sum of variables, and preserves that minimum afterwards. */
  minimise(target: readonly number[]): void {
    const tableau = this.#tableau;
    const costs = new Map<number, number>();
    for (const variable of target) {
      const row = tableau.rowOf(variable);
      if (row === undefined) costs.set(variable, (costs.get(variable) ?? 0) + 1);
      else tableau.addRow(costs, row, -1);
    }
    this.#descend(costs);
    // A variable that would increase the sum is 0 in every best solution.
    for (const [variable, cost] of costs) if (cost > TINY) tableau.remove(variable);
  }

  /** Value of a variable. @throws {CompileError} SIERRA_INVALID when it is not an integer */
  valueOf(variable: number): number {
    const row = this.#tableau.rowOf(variable);
    const value = row === undefined ? 0 : (this.#tableau.values[row] ?? 0);
    // Adding 0 converts the negative zero that rounding can produce.
    const whole = Math.round(value) + 0;
    return Math.abs(value - whole) < ROUNDING ? whole : refuse("have no integer solution");
  }

  /**
   * Row whose value is farthest outside the range allowed by its basic variable, or from 0 if it has none.
   */
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

  /**
   * Variable that repairs a row and increases a sum least; of several, the one with the smallest rounding
   * error.
   */
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

  /** Makes a variable basic in a row of value 0, if the row has one. */
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

  /** Pivots until no variable decreases the sum. */
  #descend(costs: Map<number, number>): void {
    const tableau = this.#tableau;
    for (let entering = this.#entering(costs); entering !== NOTHING;) {
      const row = this.#leaving(entering);
      if (row === NOTHING) refuse("have no minimum solution");
      this.#idle = (tableau.values[row] ?? 0) > TINY ? 0 : this.#idle + 1;
      this.#pivot(row, entering, costs);
      entering = this.#entering(costs);
    }
  }

  /** Makes a variable basic in a row, and updates the costs of the non-basic variables. */
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

  /** Charges a pivot: it may add each term of its row to each row that contains the variable. */
  #spendPivot(row: number, entering: number): void {
    const tableau = this.#tableau;
    const rows = tableau.rowsWith(entering).size;
    const terms = tableau.rows[row]?.size ?? 0;
    this.#effort.spend(rows * (1 + terms));
    if (tableau.size + rows * terms > KEPT_TERMS) refuse("have too many terms");
  }

  /** Variable that decreases the sum most, or the first one that decreases it while idle. */
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

  /** Row whose basic variable reaches 0 first. */
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

  /** Breaks a tie of rows: smallest rounding error, or the first variable while idle. */
  #isBetterTie(row: number, count: number, best: number, size: number): boolean {
    if (this.#idle <= IDLE_LIMIT) return count > size;
    return (this.#tableau.basis[row] ?? NOTHING) < (this.#tableau.basis[best] ?? NOTHING);
  }
}

function refuse(how: string): never {
  throw new CompileError("SIERRA_INVALID", `equations of gas or of ap ${how}`);
}

/** Minimum divisor: a smaller one would amplify rounding errors. */
const SMALLEST_PIVOT = 1e-5;

/** Maximum distance from an integer that rounding explains. */
const ROUNDING = 1e-4;

/** Pivots without gain before switching to the selection rule that never cycles. */
const IDLE_LIMIT = 100;
