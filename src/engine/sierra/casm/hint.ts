import type { CellRef, ResOperand } from "./operand.ts";

/** A value of a hint: what it reads, the cell that it writes, or a number. */
export type HintOperand =
  | { readonly kind: "input"; readonly value: ResOperand }
  | { readonly kind: "output"; readonly cell: CellRef }
  | { readonly kind: "number"; readonly value: bigint };

/** A hint by its name in compiled classes, with its fields in the order in which they are written. */
export interface Hint {
  readonly name: string;
  readonly fields: readonly (readonly [name: string, operand: HintOperand])[];
}
