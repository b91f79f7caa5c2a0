import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { LAYOUT } from "./abi.ts";
import { CellView, readCell, writeFeltCell } from "./cells.ts";
import { hexElements } from "./felt-hex.ts";
import type { FeltPool } from "./felt-pool.ts";

const { CELL_BYTES } = LAYOUT;
const NO_CELLS = new Uint8Array(0);

/** Smaller ones are left to the engine, which finds them soon. */
const MIN_RELEASED_BYTES = 4096;

/** Cells of a plain block that are given at a time. */
const SLICE_CELLS = 1_024;

/** Where a block's cells are: its own, or chunks of a pool. */
interface SharedCells {
  readonly pool: FeltPool;
  readonly chunks: Uint32Array;
}

/**
 * Felts as cells of the machine, 32 bytes each, that nobody changes: what calls hand to each other.
 * As integers of the engine they would take twice to three times the memory. Who knows that nobody
 * needs them any more releases them: the engine looks for large buffers too seldom.
 */
export class FeltBlock {
  static readonly EMPTY = new FeltBlock(new Uint8Array(0));

  #length: number;
  #cells: Uint8Array<ArrayBuffer>;
  #view: CellView | undefined;
  #shared: SharedCells | undefined;
  /** The chunk that was read last, and the index of its first felt. */
  #chunk = 0;
  #chunkStart = 0;

  /** @param cells - integer cells in the kernel's layout, a buffer of their own */
  constructor(cells: Uint8Array<ArrayBuffer>) {
    this.#cells = cells;
    this.#length = cells.length / CELL_BYTES;
  }

  /** Number of felts. */
  get length(): number {
    return this.#length;
  }

  /** Integer cells in the kernel's layout; marks in the flags mean nothing. Of a shared block a copy. */
  get cells(): Uint8Array {
    const { pool, chunks } = this.#shared ?? NOTHING_SHARED;
    if (pool === undefined) return this.#cells;
    return Buffer.concat(Array.from(chunks, (number) => pool.chunk(number)));
  }

  /** Bytes that the block takes by itself: of a shared one nothing, its pool counts them. */
  get sizeBytes(): number {
    return this.#cells.length;
  }

  /** One object for all blocks of a pool that have the same felts; the block itself outside of one. */
  get content(): object {
    return this.#shared?.chunks ?? this;
  }

  /** Moves the felts into a pool, which keeps once what its blocks have in common. */
  share(pool: FeltPool): void {
    if (this.#shared !== undefined) return;
    const length = this.#length;
    const shared = { pool, chunks: pool.add(this.#cells) };
    this.release();
    this.#shared = shared;
    this.#length = length;
  }

  /** Gives the memory back at once; the block is empty then. */
  release(): void {
    const cells = this.#cells;
    this.#cells = NO_CELLS;
    this.#view = undefined;
    this.#shared = undefined;
    this.#length = 0;
    // Asking for the buffer makes one where the engine keeps few bytes without.
    if (cells.length >= MIN_RELEASED_BYTES) cells.buffer.transfer(0);
  }

  /** The felt at an index from 0; reading on from the one that was read last is fast. */
  at(index: number): Felt | undefined {
    if (index < 0 || index >= this.length) return undefined;
    if (this.#shared !== undefined) return this.#sharedAt(this.#shared, index);
    this.#view ??= new CellView(this.#cells.buffer);
    return readCell(this.#view, index * 4) as Felt;
  }

  /** All felts; made anew each time. */
  toArray(): Felt[] {
    if (this.#shared !== undefined) return Array.from(this.slices(), feltsIn).flat();
    const view = new CellView(this.#cells.buffer);
    return Array.from({ length: this.length }, (_, i) => readCell(view, i * 4) as Felt);
  }

  /** All cells, about a thousand at a time; nobody may change them. */
  *slices(): Generator<Uint8Array> {
    const { pool, chunks } = this.#shared ?? NOTHING_SHARED;
    if (pool !== undefined) {
      for (const number of chunks) yield pool.chunk(number);
      return;
    }
    for (let start = 0; start < this.#cells.length; start += SLICE_CELLS * CELL_BYTES) {
      yield this.#cells.subarray(start, start + SLICE_CELLS * CELL_BYTES);
    }
  }

  #sharedAt({ pool, chunks }: SharedCells, index: number): Felt | undefined {
    if (index < this.#chunkStart) [this.#chunk, this.#chunkStart] = [0, 0];
    for (;;) {
      const cells = pool.chunk(chunks[this.#chunk] as number);
      const next = this.#chunkStart + cells.byteLength / CELL_BYTES;
      if (index < next) return cellAt(cells, index - this.#chunkStart);
      this.#chunk++;
      this.#chunkStart = next;
    }
  }
}

const NOTHING_SHARED = { pool: undefined, chunks: new Uint32Array(0) } as const;

/** Views of buffers that hold many chunks, which are asked for one after the other. */
const views = new WeakMap<ArrayBufferLike, CellView>();

function viewOf({ buffer }: Uint8Array): CellView {
  const known = views.get(buffer);
  if (known !== undefined) return known;
  const made = new CellView(buffer as ArrayBuffer);
  views.set(buffer, made);
  return made;
}

function cellAt(cells: Uint8Array, index: number): Felt {
  return readCell(viewOf(cells), cells.byteOffset / 8 + index * 4) as Felt;
}

function feltsIn(cells: Uint8Array): Felt[] {
  const view = viewOf(cells);
  const first = cells.byteOffset / 8;
  const length = cells.byteLength / CELL_BYTES;
  return Array.from({ length }, (_, i) => readCell(view, first + i * 4) as Felt);
}

/** Felts in either form. */
export type Felts = readonly Felt[] | FeltBlock;

/** The felts as an array: the same one where they are one already. */
export function feltsOf(felts: Felts): readonly Felt[] {
  return felts instanceof FeltBlock ? felts.toArray() : felts;
}

/** The felts as elements of a JSON array in hexadecimal, some at a time. */
export function* hexSlicesOf(felts: Felts): Generator<string> {
  if (felts instanceof FeltBlock) for (const cells of felts.slices()) yield hexElements(cells);
  else if (felts.length > 0) yield felts.map((felt) => `"${hexFromFelt(felt)}"`).join(",");
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
