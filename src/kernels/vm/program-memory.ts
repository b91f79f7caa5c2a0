import { LAYOUT } from "./abi.ts";
import type { PlacedProgram } from "./program-area.ts";

const { SLOT_BYTES, SLOT_HINTS } = LAYOUT;

/** Writes a program to its place, ready for the kernel to decode it. */
export function writeProgram(buffer: ArrayBuffer, program: PlacedProgram): void {
  const { image, slots, cells, constants, hints } = program;
  const bytes = new Uint8Array(buffer);
  bytes.fill(0, slots, cells);
  bytes.set(image.cells, cells);
  bytes.set(image.constants, constants);
  const words = new Uint32Array(buffer);
  words.set(image.hintWords, hints >>> 2);
  for (const at of image.constantWords) {
    const index = (hints >>> 2) + at;
    words[index] = (words[index] as number) + constants;
  }
  for (const [pc, at] of image.hintStarts) {
    words[(slots + pc * SLOT_BYTES + SLOT_HINTS) >>> 2] = hints + at * 4;
  }
}
