import type { CellExpression } from "./cell-expression.ts";
import { adjustedCell, type CellRef, deref, type ResOperand } from "./operand.ts";

/**
 * Converts `target = value` to the operands of an instruction. Differences and quotients are rearranged,
 * because an instruction can only add and multiply.
 */
export function assertion(
  target: CellRef,
  value: CellExpression,
): { readonly a: CellRef; readonly b: ResOperand } {
  if (value.kind !== "bin_op") return { a: target, b: value };
  const { op, a, b } = value;
  switch (op) {
    case "add":
    case "mul":
      return { a: target, b: { kind: "bin_op", op, a, b } };
    case "sub":
      return { a, b: { kind: "bin_op", op: "add", a: target, b } };
    case "div":
      return { a, b: { kind: "bin_op", op: "mul", a: target, b } };
  }
}

/** The same operand after `ap` has grown by `cells`. */
export function adjustedOperand(operand: ResOperand, cells: number): ResOperand {
  switch (operand.kind) {
    case "immediate":
      return operand;
    case "deref":
    case "double_deref":
      return { ...operand, cell: adjustedCell(operand.cell, cells) };
    case "bin_op": {
      const { b } = operand;
      return {
        ...operand,
        a: adjustedCell(operand.a, cells),
        b: b.kind === "deref" ? deref(adjustedCell(b.cell, cells)) : b,
      };
    }
  }
}
