import type { CasmClass } from "#protocol/chain/index.ts";
import { CellView, type ProgramImage, writeFeltCell } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { encodeHints, type HostHint } from "./hint-encoder.ts";
import type { CairoProgram } from "./types.ts";

/** `ret`, appended to every program so that compiled code can find its end. */
const RETURN_INSTRUCTION = 0x208b7fff7fff7ffen;

/** Cells appended to the bytecode: `ret` and a pointer to the builtin costs. */
export const PROGRAM_EXTRA_CELLS = 2;

/** Compiled class in the kernel's format. */
export interface PreparedProgram extends CairoProgram {
  readonly image: ProgramImage;
  readonly hostHints: readonly HostHint[];
}

/**
 * Encodes bytecode and hints; the result does not depend on a machine.
 *
 * @throws {DecodeError} when a hint is unknown
 */
export function prepareProgram(casm: CasmClass): PreparedProgram {
  const hints = encodeHints(casm.hints);
  const image: ProgramImage = {
    length: casm.bytecode.length + PROGRAM_EXTRA_CELLS,
    cells: encodeCells(casm.bytecode),
    constants: hints.constants,
    hintWords: hints.words,
    constantWords: hints.constantWords,
    hintStarts: hints.starts,
  };
  return { casm, image, hostHints: hints.hostHints };
}

/** Encodes the bytecode, `ret`, and a cell that each run fills with its pointer to the builtin costs. */
function encodeCells(bytecode: readonly Felt[]): Uint8Array {
  const limbs = new BigUint64Array((bytecode.length + PROGRAM_EXTRA_CELLS) * 4);
  const cellView = new CellView(limbs.buffer);
  for (const [index, value] of bytecode.entries()) writeFeltCell(cellView, index * 4, value);
  writeFeltCell(cellView, bytecode.length * 4, RETURN_INSTRUCTION);
  return new Uint8Array(limbs.buffer);
}
