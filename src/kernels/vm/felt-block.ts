import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { LAYOUT } from "./abi.ts";
import { CellView, readCell, writeFeltCell } from "./cells.ts";
import { hexElements } from "./felt-hex.ts";
import type { FeltPool } from "./felt-pool.ts";

const { CELL_BYTES } = LAYOUT;
const NO_CELLS = new Uint8Array(0);

/** Smaller buffers are left to the garbage collector, which frees them soon enough. */
const MIN_RELEASED_BYTES = 4096;

/** Number of cells per slice of a block outside of a pool. */
const SLICE_CELLS = 1_024;

/** Cells of a block that are stored as chunks of a pool. */
interface SharedCells {
  readonly pool: FeltPool;
  readonly chunks: Uint32Array;
}

/**
 * Immutable felts as cells of the machine, 32 bytes each, passed between calls. As bigints they would take
 * two to three times the memory. Code that knows a block to be unused releases it, because the garbage
 * collector frees large buffers too late.
 */
export class FeltBlock {
  static readonly EMPTY = new FeltBlock(new Uint8Array(0));

  #length: number;
  #cells: Uint8Array<ArrayBuffer>;
  #view: CellView | undefined;
  #shared: SharedCells | undefined;
  /** Most recently read chunk, and the index of its first felt. */
  #chunk = 0;
  #chunkStart = 0;

  /** @param cells - integer cells in the kernel's layout, in a separate buffer */
  constructor(cells: Uint8Array<ArrayBuffer>) {
    this.#cells = cells;
    this.#length = cells.length / CELL_BYTES;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Integer cells in the kernel's layout; access marks in the flags are meaningless. A copy if the block is
   * shared.
   */
  get cells(): Uint8Array {
    const { pool, chunks } = this.#shared ?? NOTHING_SHARED;
    if (pool === undefined) return this.#cells;
    return Buffer.concat(Array.from(chunks, (number) => pool.chunk(number)));
  }

  /** Bytes owned by the block; 0 for a shared one, whose bytes its pool counts. */
  get sizeBytes(): number {
    return this.#cells.length;
  }

  /**
   * Identity of the content: the same object for all blocks of a pool with equal felts; the block itself
   * outside of a pool.
   */
  get content(): object {
    return this.#shared?.chunks ?? this;
  }

  /** Moves the felts into a pool, which stores common parts of its blocks once. */
  share(pool: FeltPool): void {
    if (this.#shared !== undefined) return;
    const length = this.#length;
    const shared = { pool, chunks: pool.add(this.#cells) };
    this.release();
    this.#shared = shared;
    this.#length = length;
  }

  /** Frees the memory immediately; the block is then empty. */
  release(): void {
    const cells = this.#cells;
    this.#cells = NO_CELLS;
    this.#view = undefined;
    this.#shared = undefined;
    this.#length = 0;
    // Reading `buffer` allocates one if the engine stores the few bytes inline.
    if (cells.length >= MIN_RELEASED_BYTES) cells.buffer.transfer(0);
  }

  /** Returns the felt at an index from 0; reading in ascending order is fast. */
  at(index: number): Felt | undefined {
    if (index < 0 || index >= this.length) return undefined;
    if (this.#shared !== undefined) return this.#sharedAt(this.#shared, index);
    this.#view ??= new CellView(this.#cells.buffer);
    return readCell(this.#view, index * 4) as Felt;
  }

  /** All felts, as a new array. */
  toArray(): Felt[] {
    if (this.#shared !== undefined) return Array.from(this.slices(), feltsIn).flat();
    const view = new CellView(this.#cells.buffer);
    return Array.from({ length: this.length }, (_, i) => readCell(view, i * 4) as Felt);
  }

  /** Yields all cells, about a thousand at a time; they must not be changed. */
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

/** Cached views of buffers that hold many chunks, which are read one after the other. */
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

/** List of felts as an array, or as a {@link FeltBlock} in the machine's layout. */
export type Felts = readonly Felt[] | FeltBlock;

/** Returns the felts as an array; an array is returned unchanged. */
export function feltsOf(felts: Felts): readonly Felt[] {
  return felts instanceof FeltBlock ? felts.toArray() : felts;
}

/** Yields the felts as hexadecimal elements of a JSON array, in slices. */
export function* hexSlicesOf(felts: Felts): Generator<string> {
  if (felts instanceof FeltBlock) for (const cells of felts.slices()) yield hexElements(cells);
  else if (felts.length > 0) yield felts.map((felt) => `"${hexFromFelt(felt)}"`).join(",");
}

/** Returns the felts with one more appended. */
export function withFelt(felts: Felts, last: Felt): FeltBlock {
  const cells = new Uint8Array((felts.length + 1) * CELL_BYTES);
  const view = new CellView(cells.buffer);
  if (felts instanceof FeltBlock) cells.set(felts.cells);
  else for (const [i, felt] of felts.entries()) writeFeltCell(view, i * 4, felt);
  writeFeltCell(view, felts.length * 4, last);
  return new FeltBlock(cells);
}
