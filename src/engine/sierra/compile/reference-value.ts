import { type CellExpression, expressionAfter, isSameExpression } from "../casm/cell-expression.ts";

/** Where a value was made. */
export interface IntroductionPoint {
  /** The statement that made it; `undefined` for a parameter of a function. */
  readonly source: number | undefined;
  /** The statement that got it. */
  readonly destination: number;
  /** Which one of the values that were made there. */
  readonly output: number;
}

/** What a variable stands for at a statement. */
export interface ReferenceValue {
  readonly cells: readonly CellExpression[];
  readonly type: number;
  /** Place on the known part of the stack, counted from the oldest; `undefined` off it. */
  readonly stackIndex: number | undefined;
  readonly introduction: IntroductionPoint;
}

/** The variables that are known at a statement. */
export type References = Map<number, ReferenceValue>;

/**
 * The same cells once `ap` has grown by `change`.
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

/** Whether two lists of cells are the same. */
export function isSameCells(a: readonly CellExpression[], b: readonly CellExpression[]): boolean {
  return (
    a.length === b.length &&
    a.every((cell, i) => {
      const other = b[i];
      return other !== undefined && isSameExpression(cell, other);
    })
  );
}

/** Whether two values were made at the same place. */
export function isSameIntroduction(a: IntroductionPoint, b: IntroductionPoint): boolean {
  return a.source === b.source && a.destination === b.destination && a.output === b.output;
}
