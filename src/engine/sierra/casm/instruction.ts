import type { Hint } from "./hint.ts";
import type { CellRef, DerefOrImmediate, ResOperand } from "./operand.ts";

/** Operation of an instruction. Targets of jumps and calls are offsets from the instruction. */
export type InstructionBody =
  | { readonly kind: "add_ap"; readonly operand: ResOperand }
  | { readonly kind: "assert_eq"; readonly a: CellRef; readonly b: ResOperand }
  | { readonly kind: "qm31_assert_eq"; readonly a: CellRef; readonly b: ResOperand }
  | { readonly kind: "call"; readonly target: DerefOrImmediate; readonly relative: boolean }
  | { readonly kind: "jump"; readonly target: DerefOrImmediate; readonly relative: boolean }
  | { readonly kind: "jnz"; readonly target: DerefOrImmediate; readonly condition: CellRef }
  | { readonly kind: "ret" }
  | {
      readonly kind: "blake2s_compress";
      readonly state: CellRef;
      readonly byteCount: CellRef;
      readonly message: CellRef;
      readonly finalize: boolean;
    };

/** Instruction with the hints that run before it. */
export interface Instruction {
  readonly body: InstructionBody;
  /** Whether the instruction increments `ap`. */
  readonly incAp: boolean;
  readonly hints: readonly Hint[];
}

/** Size of an instruction in felts: 2 with an immediate, else 1. */
export function instructionSize({ body }: Instruction): number {
  switch (body.kind) {
    case "add_ap":
      return resSize(body.operand);
    case "assert_eq":
    case "qm31_assert_eq":
      return resSize(body.b);
    case "call":
    case "jump":
    case "jnz":
      return resSize(body.target);
    case "ret":
    case "blake2s_compress":
      return 1;
  }
}

function resSize(operand: ResOperand): number {
  const last = operand.kind === "bin_op" ? operand.b : operand;
  return last.kind === "immediate" ? 2 : 1;
}
