import type { JsonValue } from "#base/codec/index.ts";
import type { Hint, HintOperand } from "../casm/hint.ts";
import type { CellRef, DerefOrImmediate, ResOperand } from "../casm/operand.ts";

/**
 * Converts a hint to the JSON form of compiled classes: `{"TestLessThan": {"lhs": ..., "rhs": ..., "dst":
 * ...}}`.
 */
export function hintJson({ name, fields }: Hint): JsonValue {
  return { [name]: Object.fromEntries(fields.map(([field, value]) => [field, operand(value)])) };
}

function operand(value: HintOperand): JsonValue {
  switch (value.kind) {
    case "input":
      return resOperand(value.value);
    case "output":
      return cellJson(value.cell);
    case "number":
      return hex(value.value);
  }
}

function resOperand(value: ResOperand): JsonValue {
  switch (value.kind) {
    case "deref":
    case "immediate":
      return derefOrImmediate(value);
    case "double_deref":
      return { DoubleDeref: [cellJson(value.cell), value.offset] };
    case "bin_op": {
      const { op, a, b } = value;
      const name = op === "add" ? "Add" : "Mul";
      return { BinOp: { op: name, a: cellJson(a), b: derefOrImmediate(b) } };
    }
  }
}

function derefOrImmediate(value: DerefOrImmediate): JsonValue {
  return value.kind === "deref" ? { Deref: cellJson(value.cell) } : { Immediate: hex(value.value) };
}

function cellJson({ register, offset }: CellRef): JsonValue {
  return { register: register === "ap" ? "AP" : "FP", offset };
}

function hex(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
