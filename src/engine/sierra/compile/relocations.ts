import { invariant } from "#base/errors/index.ts";
import type { Instruction, InstructionBody } from "../casm/instruction.ts";
import { immediate } from "../casm/operand.ts";
import type { Relocation, RelocationTarget } from "../libfunc/invocation-builder.ts";
import type { ConstSegments } from "./const-segments.ts";

/** Final layout of a program. Offsets are in felts from the start. */
export interface Layout {
  /** Offset of the first instruction of each statement. */
  readonly statementOffsets: readonly number[];
  /** Size of the code in felts. */
  readonly codeSize: number;
  readonly constants: ConstSegments;
}

/** Adds the distances to the relocation targets to the instructions' immediates, in place. */
export function relocate(
  instructions: Instruction[],
  offsets: readonly number[],
  relocations: readonly Relocation[],
  layout: Layout,
): void {
  for (const { instruction: index, target } of relocations) {
    const instruction = instructions[index];
    const offset = offsets[index];
    invariant(
      instruction !== undefined && offset !== undefined,
      "the relocated instruction exists",
    );
    const distance = BigInt(targetOffset(target, layout) - offset);
    instructions[index] = { ...instruction, body: moved(instruction.body, distance) };
  }
}

function targetOffset(target: RelocationTarget, layout: Layout): number {
  const { codeSize, constants } = layout;
  switch (target.kind) {
    case "statement": {
      const offset = layout.statementOffsets[target.statement];
      invariant(offset !== undefined, "code leads to an existing statement");
      return offset;
    }
    case "segment":
      return codeSize + constants.startOf(target.segment);
    case "const":
      return codeSize + constants.positionOf(target.segment, target.type);
    case "circuit":
      return codeSize + constants.circuitPosition(target.type);
    case "end_of_program":
      return codeSize + constants.size;
  }
}

function moved(body: InstructionBody, distance: bigint): InstructionBody {
  switch (body.kind) {
    case "call":
    case "jump":
    case "jnz": {
      const { target } = body;
      const isRelative = body.kind === "jnz" || body.relative;
      invariant(target.kind === "immediate" && isRelative, "a relocated jump is relative");
      return { ...body, target: immediate(target.value + distance) };
    }
    case "assert_eq": {
      const { b } = body;
      invariant(
        b.kind === "bin_op" && b.b.kind === "immediate",
        "a relocated operand is an added number",
      );
      return { ...body, b: { ...b, b: immediate(b.b.value + distance) } };
    }
    case "add_ap":
    case "qm31_assert_eq":
    case "ret":
    case "blake2s_compress":
      invariant(false, "a relocated instruction has a target");
  }
}
