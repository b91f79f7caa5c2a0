import { type Instruction, instructionSize } from "../casm/instruction.ts";
import type { Relocation } from "../libfunc/invocation-builder.ts";

/** The code of a program while it is made. */
export class CodeBuffer {
  readonly instructions: Instruction[] = [];
  /** Of the instructions, in felts. */
  readonly offsets: number[] = [];
  /** Of the instructions of the program. */
  readonly relocations: Relocation[] = [];
  /** Felts of all instructions. */
  size = 0;

  /**
   * Adds instructions.
   *
   * @param relocations - of these instructions, counted from the first of them
   */
  append(instructions: readonly Instruction[], relocations: readonly Relocation[] = []): void {
    const first = this.instructions.length;
    for (const { instruction, target } of relocations) {
      this.relocations.push({ instruction: first + instruction, target });
    }
    for (const instruction of instructions) {
      this.instructions.push(instruction);
      this.offsets.push(this.size);
      this.size += instructionSize(instruction);
    }
  }
}
