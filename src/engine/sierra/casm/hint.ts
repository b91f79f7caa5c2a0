import type { CellRef, ResOperand } from "./operand.ts";

/** Operand of a hint: an input value, an output cell, or a number. */
export type HintOperand =
  | { readonly kind: "input"; readonly value: ResOperand }
  | { readonly kind: "output"; readonly cell: CellRef }
  | { readonly kind: "number"; readonly value: bigint };

/** Hint with its name in compiled classes, and its fields in serialization order. */
export interface Hint {
  readonly name: string;
  readonly fields: readonly (readonly [name: string, operand: HintOperand])[];
}
