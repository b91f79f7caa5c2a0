import { LAYOUT } from "./abi.ts";

/** Program as bytes, ready to be copied into any machine. */
export interface ProgramImage {
  /** Number of cells of the program, including those appended at its end. */
  readonly length: number;
  /** `length` cells in the kernel's layout. */
  readonly cells: Uint8Array;
  /** Cells referenced by hints as constants. */
  readonly constants: Uint8Array;
  /** Hints in the kernel's format (assembly/operands.ts, assembly/hints.ts). */
  readonly hintWords: Uint32Array;
  /** Indexes of words that hold offsets in `constants`; loading turns them into addresses. */
  readonly constantWords: Uint32Array;
  /** Index of the first word of each hint list, by program counter. */
  readonly hintStarts: readonly (readonly [pc: number, word: number])[];
}

/** Location of a program in a kernel's memory. */
export interface PlacedProgram {
  readonly image: ProgramImage;
  readonly start: number;
  readonly bytes: number;
  readonly slots: number;
  readonly cells: number;
  readonly constants: number;
  readonly hints: number;
}

interface Entry {
  readonly program: PlacedProgram;
  pins: number;
}

const ALIGNMENT = 64;

/**
 * Places programs in an area of memory. Programs in use are pinned and stay. The least recently used others are
 * evicted while the total exceeds the budget, and all of them if no gap is large enough.
 */
export class ProgramArea {
  readonly #start: number;
  readonly #end: number;
  readonly #budgetBytes: number;
  /** In order of use, most recent last. */
  readonly #entries = new Map<ProgramImage, Entry>();
  #usedBytes = 0;

  constructor(start: number, bytes: number, budgetBytes: number) {
    this.#start = start;
    this.#end = start + bytes;
    this.#budgetBytes = budgetBytes;
  }

  /** Finds or places a program; `load` fills its memory. @returns `undefined` if there is no room */
  pin(image: ProgramImage, load: (program: PlacedProgram) => void): PlacedProgram | undefined {
    const known = this.#entries.get(image);
    if (known !== undefined) {
      known.pins++;
      this.#entries.delete(image);
      this.#entries.set(image, known);
      return known.program;
    }
    const bytes = sizeOf(image);
    const start = this.#place(bytes);
    if (start === undefined) return undefined;
    const cells = start + (image.length + LAYOUT.SENTINEL_SLOTS) * LAYOUT.SLOT_BYTES;
    const constants = cells + image.cells.length;
    const program: PlacedProgram = {
      image,
      start,
      bytes,
      slots: start,
      cells,
      constants,
      hints: constants + image.constants.length,
    };
    this.#entries.set(image, { program, pins: 1 });
    this.#usedBytes += bytes;
    load(program);
    return program;
  }

  /** Undoes one {@link pin}. */
  unpin(program: PlacedProgram): void {
    const entry = this.#entries.get(program.image);
    if (entry !== undefined && entry.pins > 0) entry.pins--;
  }

  #place(bytes: number): number | undefined {
    for (const [image, entry] of this.#entries) {
      if (this.#usedBytes + bytes <= this.#budgetBytes) break;
      if (entry.pins === 0) this.#drop(image, entry);
    }
    const found = this.#findGap(bytes);
    if (found !== undefined) return found;
    for (const [image, entry] of this.#entries) if (entry.pins === 0) this.#drop(image, entry);
    return this.#findGap(bytes);
  }

  #drop(image: ProgramImage, entry: Entry): void {
    this.#entries.delete(image);
    this.#usedBytes -= entry.program.bytes;
  }

  /** First gap between the placed programs that is large enough. */
  #findGap(bytes: number): number | undefined {
    const placed = [...this.#entries.values()].map((entry) => entry.program);
    placed.sort((a, b) => a.start - b.start);
    let start = this.#start;
    for (const program of placed) {
      if (program.start - start >= bytes) return start;
      start = program.start + program.bytes;
    }
    return this.#end - start >= bytes ? start : undefined;
  }
}

function sizeOf(image: ProgramImage): number {
  const bytes =
    (image.length + LAYOUT.SENTINEL_SLOTS) * LAYOUT.SLOT_BYTES +
    image.cells.length +
    image.constants.length +
    image.hintWords.length * 4;
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
