import type { Felt } from "#base/primitives/index.ts";
import { CellView, readCell, writeFeltCell } from "./cells.ts";

const CELL_BYTES = 32;
const NO_CELLS = new Uint8Array(0);

/** Smaller ones are left to the engine, which finds them soon. */
const MIN_RELEASED_BYTES = 4096;

/**
 * Felts as cells of the machine, 32 bytes each, that nobody changes: what calls hand to each other.
 * As integers of the engine they would take twice to three times the memory. Who knows that nobody
 * needs them any more releases them: the engine looks for large buffers too seldom.
 */
export class FeltBlock {
  static readonly EMPTY = new FeltBlock(new Uint8Array(0));

  #cells: Uint8Array<ArrayBuffer>;
  #view: CellView | undefined;

  /** @param cells - integer cells in the kernel's layout, a buffer of their own */
  constructor(cells: Uint8Array<ArrayBuffer>) {
    this.#cells = cells;
  }

  /** Number of felts. */
  get length(): number {
    return this.#cells.length / CELL_BYTES;
  }

  /** Integer cells in the kernel's layout; marks in the flags mean nothing. */
  get cells(): Uint8Array {
    return this.#cells;
  }

  /** Gives the memory back at once; the block is empty then. */
  release(): void {
    const cells = this.#cells;
    this.#cells = NO_CELLS;
    this.#view = undefined;
    // Asking for the buffer makes one where the engine keeps few bytes without.
    if (cells.length >= MIN_RELEASED_BYTES) cells.buffer.transfer(0);
  }

  /** The felt at an index from 0. */
  at(index: number): Felt | undefined {
    if (index < 0 || index >= this.length) return undefined;
    this.#view ??= new CellView(this.#cells.buffer);
    return readCell(this.#view, index * 4) as Felt;
  }

  /** All felts; made anew each time. */
  toArray(): Felt[] {
    const view = new CellView(this.#cells.buffer);
    return Array.from({ length: this.length }, (_, i) => readCell(view, i * 4) as Felt);
  }
}

/** Felts in either form. */
export type Felts = readonly Felt[] | FeltBlock;

/** The felts as an array: the same one where they are one already. */
export function feltsOf(felts: Felts): readonly Felt[] {
  return felts instanceof FeltBlock ? felts.toArray() : felts;
}

/** The felts with one more behind them. */
export function withFelt(felts: Felts, last: Felt): FeltBlock {
  const cells = new Uint8Array((felts.length + 1) * CELL_BYTES);
  const view = new CellView(cells.buffer);
  if (felts instanceof FeltBlock) cells.set(felts.cells);
  else for (const [i, felt] of felts.entries()) writeFeltCell(view, i * 4, felt);
  writeFeltCell(view, felts.length * 4, last);
  return new FeltBlock(cells);
}
