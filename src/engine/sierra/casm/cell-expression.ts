import {
  adjustedCell,
  cellAfter,
  type CellRef,
  deref,
  type DerefOrImmediate,
  immediate,
  isOffset,
} from "./operand.ts";

/** Operators of expressions; `sub` and `div` are rearranged to assertions. */
export type CellOperator = "add" | "sub" | "mul" | "div";

/** Value of a present or future cell, as an expression over existing cells. */
export type CellExpression =
  | DerefOrImmediate
  | { readonly kind: "double_deref"; readonly cell: CellRef; readonly offset: number }
  | {
      readonly kind: "bin_op";
      readonly op: CellOperator;
      readonly a: CellRef;
      readonly b: DerefOrImmediate;
    };

/**
 * The same value after `ap` has grown by `cells`.
 *
 * @returns `undefined` when an offset no longer fits
 */
export function expressionAfter(
  expression: CellExpression,
  cells: number,
): CellExpression | undefined {
  if (cells === 0 || expression.kind === "immediate") return expression;
  if (expression.kind !== "bin_op") {
    const cell = cellAfter(expression.cell, cells);
    return cell === undefined ? undefined : { ...expression, cell };
  }
  const a = cellAfter(expression.a, cells);
  const b = expressionAfter(expression.b, cells) as DerefOrImmediate | undefined;
  return a === undefined || b === undefined ? undefined : { ...expression, a, b };
}

/** Like {@link expressionAfter}, for offsets that are known to fit. */
export function adjustedExpression(expression: CellExpression, cells: number): CellExpression {
  if (cells === 0 || expression.kind === "immediate") return expression;
  if (expression.kind !== "bin_op") {
    return { ...expression, cell: adjustedCell(expression.cell, cells) };
  }
  const { a, b } = expression;
  return {
    ...expression,
    a: adjustedCell(a, cells),
    b: b.kind === "deref" ? deref(adjustedCell(b.cell, cells)) : b,
  };
}

/** Whether the value stays known after `ap` has changed by an unknown amount. */
export function isIndependentOfAp(expression: CellExpression): boolean {
  switch (expression.kind) {
    case "immediate":
      return true;
    case "deref":
    case "double_deref":
      return expression.cell.register === "fp";
    case "bin_op":
      return expression.a.register === "fp" && isIndependentOfAp(expression.b);
  }
}

/** Whether two expressions are structurally equal. */
export function isSameExpression(a: CellExpression, b: CellExpression): boolean {
  if (a.kind === "immediate") return b.kind === "immediate" && a.value === b.value;
  if (a.kind === "deref") return b.kind === "deref" && isSameCell(a.cell, b.cell);
  if (a.kind === "double_deref") {
    return b.kind === "double_deref" && a.offset === b.offset && isSameCell(a.cell, b.cell);
  }
  return b.kind === "bin_op" && a.op === b.op && isSameCell(a.a, b.a) && isSameExpression(a.b, b.b);
}

function isSameCell(a: CellRef, b: CellRef): boolean {
  return a.offset === b.offset && a.register === b.register;
}

/** Whether expressions are the topmost cells of the stack, in order: the last one must be `[ap - 1]`. */
export function isTopOfStack(cells: readonly CellExpression[]): boolean {
  return cells.every(
    (cell, i) =>
      cell.kind === "deref" && cell.cell.register === "ap" && cell.cell.offset === i - cells.length,
  );
}

/** `[cell] + value`, or the cell itself if `value` is 0. */
export function cellPlus(cell: CellRef, value: bigint): CellExpression {
  return value === 0n ? deref(cell) : { kind: "bin_op", op: "add", a: cell, b: immediate(value) };
}

/** Splits `[cell] + offset` into its parts; `undefined` for other expressions. */
export function cellWithOffset(
  expression: CellExpression,
): { readonly cell: CellRef; readonly offset: bigint } | undefined {
  if (expression.kind === "deref") return { cell: expression.cell, offset: 0n };
  if (expression.kind !== "bin_op" || expression.op !== "add") return undefined;
  const { a, b } = expression;
  return b.kind === "immediate" ? { cell: a, offset: b.value } : undefined;
}

/**
 * Checks that an expression is a pointer through which instructions can write up to `slack` cells ahead.
 *
 * @returns `undefined` when it is not a cell with a small offset
 */
export function asBuffer(expression: CellExpression, slack: number): CellExpression | undefined {
  const parts = cellWithOffset(expression);
  if (parts === undefined) return undefined;
  const offset = Number(parts.offset);
  return isOffset(offset) && isOffset(offset + slack)
    ? cellPlus(parts.cell, parts.offset)
    : undefined;
}
