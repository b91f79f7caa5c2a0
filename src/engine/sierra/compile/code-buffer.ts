import { type Instruction, instructionSize } from "../casm/instruction.ts";
import type { Relocation } from "../libfunc/invocation-builder.ts";

/** Code of a program under construction. */
export class CodeBuffer {
  readonly instructions: Instruction[] = [];
  /** Offsets of the instructions, in felts. */
  readonly offsets: number[] = [];
  /** Relocations, by instruction index in the program. */
  readonly relocations: Relocation[] = [];
  /** Size of all instructions, in felts. */
  size = 0;

  /**
   * Appends instructions.
   *
   * @param relocations - relocations of these instructions, relative to the first of them
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
