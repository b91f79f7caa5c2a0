import { invariant } from "#base/errors/index.ts";

/** Base register of a cell address. */
export type Register = "ap" | "fp";

/** Cell `[register + offset]`; the offset is an i16. */
export interface CellRef {
  readonly register: Register;
  readonly offset: number;
}

/** A cell, or a number. */
export type DerefOrImmediate =
  | { readonly kind: "deref"; readonly cell: CellRef }
  | { readonly kind: "immediate"; readonly value: bigint };

/** Expression that an instruction can compute: the second operand of `assert_eq`. */
export type ResOperand =
  | DerefOrImmediate
  /** `[[cell] + offset]`. */
  | { readonly kind: "double_deref"; readonly cell: CellRef; readonly offset: number }
  | {
      readonly kind: "bin_op";
      readonly op: "add" | "mul";
      readonly a: CellRef;
      readonly b: DerefOrImmediate;
    };

const OFFSET_LIMIT = 2 ** 15;

/** Whether an offset fits in an instruction. */
export function isOffset(offset: number): boolean {
  return offset >= -OFFSET_LIMIT && offset < OFFSET_LIMIT;
}

/**
 * The same cell after `ap` has grown by `cells`.
 *
 * @returns `undefined` when its offset no longer fits
 */
export function cellAfter(cell: CellRef, cells: number): CellRef | undefined {
  if (cell.register === "fp" || cells === 0) return cell;
  const offset = cell.offset - cells;
  return isOffset(offset) ? { register: "ap", offset } : undefined;
}

/** Like {@link cellAfter}, for an offset that is known to fit. */
export function adjustedCell(cell: CellRef, cells: number): CellRef {
  const adjusted = cellAfter(cell, cells);
  invariant(adjusted !== undefined, "the offset of a cell fits");
  return adjusted;
}

/** Creates a cell reference relative to `ap`. */
export function apCell(offset: number): CellRef {
  return { register: "ap", offset };
}

/** Creates a cell reference relative to `fp`. */
export function fpCell(offset: number): CellRef {
  return { register: "fp", offset };
}

/** Creates a number operand. */
export function immediate(value: bigint | number): DerefOrImmediate & { kind: "immediate" } {
  return { kind: "immediate", value: BigInt(value) };
}

/** Creates a cell operand. */
export function deref(cell: CellRef): DerefOrImmediate & { kind: "deref" } {
  return { kind: "deref", cell };
}
