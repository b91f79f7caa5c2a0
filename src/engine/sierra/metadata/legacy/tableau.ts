/**
 * A sparse simplex tableau: per row a basic variable, given by the others and a value. Variables that
 * are not basic are 0. A value of less than 0 breaks the row's equation, as any does without a variable.
 *
 * Numbers are doubles. Programs give small whole numbers, which pivots by 1 keep exact; results are
 * rounded and checked by those who ask.
 */
export class Tableau {
  /** Per row, multiples of variables; without the basic one. */
  readonly rows: Map<number, number>[] = [];
  readonly values: number[] = [];
  /** Per row; {@link NOTHING} while the row has none. */
  readonly basis: number[] = [];
  /** Per variable that is not basic, rows in which it occurs. */
  readonly #occurrences = new Map<number, Set<number>>();
  readonly #rowOf = new Map<number, number>();
  #size = 0;

  /** Terms of all rows. */
  get size(): number {
    return this.#size;
  }

  /** Adds `terms = value`; variables are not basic yet in any row. */
  add(terms: ReadonlyMap<number, number>, value: number): void {
    const row = this.rows.length;
    this.rows.push(new Map(terms));
    this.values.push(value);
    this.basis.push(NOTHING);
    for (const variable of terms.keys()) this.#occur(variable, row);
  }

  /** The row in which a variable is basic. */
  rowOf(variable: number): number | undefined {
    return this.#rowOf.get(variable);
  }

  /** Rows in which a variable that is not basic occurs. */
  rowsWith(variable: number): ReadonlySet<number> {
    return this.#occurrences.get(variable) ?? NO_ROWS;
  }

  /** Makes a variable basic in a row in which it occurs; the basic one of the row becomes 0. */
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

  /** Takes a variable that is not basic out: it stays 0. */
  remove(variable: number): void {
    for (const row of this.rowsWith(variable)) this.rows[row]?.delete(variable);
    this.#forget(variable);
  }

  /** Adds `by` multiples of a row, without its basic variable, to an expression. */
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

  /** Puts a row in for its basic variable in another row. */
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

  /** A variable is in no row any more but as a basic one. */
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

/** What is smaller is taken for an error of rounding. */
export const TINY = 1e-7;

/** Instead of a basic variable. */
export const NOTHING = -1;

const NO_ROWS: ReadonlySet<number> = new Set();
