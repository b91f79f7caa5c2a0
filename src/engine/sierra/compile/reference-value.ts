import { type CellExpression, expressionAfter, isSameExpression } from "../casm/cell-expression.ts";

/** Origin of a value. */
export interface IntroductionPoint {
  /** Statement that created it; `undefined` for a parameter of a function. */
  readonly source: number | undefined;
  /** Statement that received it. */
  readonly destination: number;
  /** Index among the values created there. */
  readonly output: number;
}

/** Value of a variable at a statement. */
export interface ReferenceValue {
  readonly cells: readonly CellExpression[];
  readonly type: number;
  /** Position on the known part of the stack, from the oldest; `undefined` if not on it. */
  readonly stackIndex: number | undefined;
  readonly introduction: IntroductionPoint;
}

/** Variables known at a statement. */
export type References = Map<number, ReferenceValue>;

/**
 * The same cells after `ap` has grown by `change`.
 *
 * @returns `undefined` when an offset no longer fits
 */
export function cellsAfter(
  cells: readonly CellExpression[],
  change: number,
): readonly CellExpression[] | undefined {
  const moved: CellExpression[] = [];
  for (const cell of cells) {
    const after = expressionAfter(cell, change);
    if (after === undefined) return undefined;
    moved.push(after);
  }
  return moved;
}

/** Whether two lists of cells are equal. */
export function isSameCells(a: readonly CellExpression[], b: readonly CellExpression[]): boolean {
  return (
    a.length === b.length &&
    a.every((cell, i) => {
      const other = b[i];
      return other !== undefined && isSameExpression(cell, other);
    })
  );
}

/** Whether two values have the same origin. */
export function isSameIntroduction(a: IntroductionPoint, b: IntroductionPoint): boolean {
  return a.source === b.source && a.destination === b.destination && a.output === b.output;
}
