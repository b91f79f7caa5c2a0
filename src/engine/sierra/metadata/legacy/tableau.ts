/**
 * Sparse simplex tableau. Each row expresses a basic variable by a value and the other variables. Non-basic
 * variables are 0. A negative value breaks the row's equation, as does any value in a row without a variable.
 *
 * Numbers are doubles. Programs yield small integers, which pivots by 1 keep exact; callers round and verify
 * the results.
 */
export class Tableau {
  /** Coefficients of each row, without the basic variable. */
  readonly rows: Map<number, number>[] = [];
  readonly values: number[] = [];
  /** Basic variable of each row; {@link NOTHING} if none. */
  readonly basis: number[] = [];
  /** Rows that contain a non-basic variable. */
  readonly #occurrences = new Map<number, Set<number>>();
  readonly #rowOf = new Map<number, number>();
  #size = 0;

  /** Number of terms in all rows. */
  get size(): number {
    return this.#size;
  }

  /** Adds the row `terms = value`; its variables must not be basic in any row yet. */
  add(terms: ReadonlyMap<number, number>, value: number): void {
    const row = this.rows.length;
    this.rows.push(new Map(terms));
    this.values.push(value);
    this.basis.push(NOTHING);
    for (const variable of terms.keys()) this.#occur(variable, row);
  }

  /** Row in which a variable is basic; `undefined` if it is not. */
  rowOf(variable: number): number | undefined {
    return this.#rowOf.get(variable);
  }

  /** Rows that contain a non-basic variable. */
  rowsWith(variable: number): ReadonlySet<number> {
    return this.#occurrences.get(variable) ?? NO_ROWS;
  }

  /** Makes a variable basic in a row that contains it; the previous basic variable becomes 0. */
  pivot(row: number, variable: number): void {
    const terms = this.rows[row] ?? new Map<number, number>();
    const divisor = terms.get(variable) ?? 1;
    const left = this.basis[row] ?? NOTHING;
    terms.delete(variable);
    for (const [each, count] of terms) terms.set(each, count / divisor);
    this.values[row] = (this.values[row] ?? 0) / divisor;
    this.basis[row] = variable;
    this.#rowOf.set(variable, row);
    const others = this.rowsWith(variable);
    this.#forget(variable);
    if (left !== NOTHING) {
      this.#rowOf.delete(left);
      terms.set(left, 1 / divisor);
      this.#occur(left, row);
    }
    for (const other of others) if (other !== row) this.#subtract(other, variable, row);
  }

  /** Removes a non-basic variable: it stays 0. */
  remove(variable: number): void {
    for (const row of this.rowsWith(variable)) this.rows[row]?.delete(variable);
    this.#forget(variable);
  }

  /** Adds `by` times a row, without its basic variable, to an expression. */
  addRow(terms: Map<number, number>, row: number, by: number, onChange?: Change): void {
    for (const [variable, count] of this.rows[row] ?? []) {
      const before = terms.get(variable);
      const sum = (before ?? 0) + by * count;
      if (Math.abs(sum) < TINY) {
        if (before === undefined) continue;
        terms.delete(variable);
        onChange?.(variable, false);
      } else {
        terms.set(variable, sum);
        if (before === undefined) onChange?.(variable, true);
      }
    }
  }

  /** Substitutes a row for its basic variable in another row. */
  #subtract(row: number, variable: number, source: number): void {
    const terms = this.rows[row];
    const count = terms?.get(variable);
    if (terms === undefined || count === undefined) return;
    terms.delete(variable);
    this.addRow(terms, source, -count, (each, isNew) => {
      if (isNew) this.#occur(each, row);
      else if (this.#occurrences.get(each)?.delete(row) === true) this.#size--;
    });
    const value = (this.values[row] ?? 0) - count * (this.values[source] ?? 0);
    this.values[row] = Math.abs(value) < TINY ? 0 : value;
  }

  /** Removes a variable's occurrences: it is now at most basic. */
  #forget(variable: number): void {
    this.#size -= this.rowsWith(variable).size;
    this.#occurrences.delete(variable);
  }

  #occur(variable: number, row: number): void {
    this.#size++;
    const rows = this.#occurrences.get(variable);
    if (rows === undefined) this.#occurrences.set(variable, new Set([row]));
    else rows.add(row);
  }
}

type Change = (variable: number, isNew: boolean) => void;

/** Threshold for rounding errors in the tableau: smaller absolute values count as 0. */
export const TINY = 1e-7;

/** Value of a row's basic variable when the row has none. */
export const NOTHING = -1;

const NO_ROWS: ReadonlySet<number> = new Set();
