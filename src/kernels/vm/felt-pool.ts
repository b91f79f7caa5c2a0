import { LAYOUT } from "./abi.ts";
import { KNOWN, VALUE } from "./cells.ts";
import { ContentTable } from "./content-table.ts";

const { CELL_BYTES } = LAYOUT;
const CELL_WORDS = CELL_BYTES / 4;

/** A chunk ends behind so many cells at the earliest and at the latest. */
const MIN_CHUNK_CELLS = 128;
const MAX_CHUNK_CELLS = 1_024;

/** Between these bounds it ends behind one cell of this many, on average; a power of two. */
const MEAN_CUT_CELLS = 256;

/**
 * Chunks stand in pieces of memory, so that few buffers hold many of them: the first is small, each
 * further one twice as large, up to a limit.
 */
const FIRST_SLAB_BYTES = 8 << 10;
const LARGEST_SLAB_BYTES = 1 << 20;

/** What a chunk costs beside its cells: its place, and its entry in the table of digests. */
const CHUNK_BYTES = 96;

/**
 * Lists of felts that have much in common, each part kept once: what the calls of one transaction give
 * each other. A transaction can give the same million felts to thousands of calls, shifted by one each
 * time, for the gas of writing them once.
 *
 * A list is cut into chunks where its content says so (content-defined chunking as in Muthitacharoen,
 * Chen and Mazières, "A low-bandwidth network file system", 2001): equal parts of two lists have equal
 * chunks wherever they begin. A random key makes it impossible to choose content that is never cut.
 */
export class FeltPool {
  readonly #key = crypto.getRandomValues(new Uint32Array(1))[0] as number;
  #slab = new Uint8Array(0);
  #slabUsedBytes = 0;
  #nextSlabBytes = FIRST_SLAB_BYTES;
  /** Cells of each chunk. */
  readonly #chunks: Uint8Array[] = [];
  readonly #numbers = new ContentTable<number>((number) => this.chunk(number));
  readonly #lists = new ContentTable<Uint32Array>(bytesOf);
  #sizeBytes = 0;

  /** Bytes that all lists take together, about. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Keeps a list.
   *
   * @param cells - integer cells, at the start of a buffer; marks in their flags are cleared
   * @returns numbers of its chunks, for {@link chunk}
   */
  add(cells: Uint8Array): Uint32Array {
    const words = new Uint32Array(cells.buffer, cells.byteOffset, cells.byteLength / 4);
    const numbers: number[] = [];
    for (let start = 0; start < words.length;) {
      const end = this.#cut(words, start);
      const chunk = cells.subarray(start * 4, end * 4);
      numbers.push(this.#numbers.intern(chunk, () => this.#chunks.push(this.#store(chunk)) - 1));
      start = end;
    }
    const list = Uint32Array.from(numbers);
    return this.#lists.intern(bytesOf(list), () => {
      this.#sizeBytes += list.byteLength + CHUNK_BYTES;
      return list;
    });
  }

  /** The cells of a chunk; nobody may change them. */
  chunk(number: number): Uint8Array {
    return this.#chunks[number] as Uint8Array;
  }

  /** Clears the marks of a chunk's cells. @returns the word behind it */
  #cut(words: Uint32Array, start: number): number {
    const earliest = start + MIN_CHUNK_CELLS * CELL_WORDS;
    const latest = Math.min(start + MAX_CHUNK_CELLS * CELL_WORDS, words.length);
    let at = start;
    while (at < latest) {
      let digest = this.#key;
      const top = (((words[at + 7] as number) & VALUE) | KNOWN) >>> 0;
      words[at + 7] = top;
      for (const end = at + CELL_WORDS; at < end; at++) {
        digest = Math.imul(digest ^ (words[at] as number), 0x9e3779b1);
        digest ^= digest >>> 15;
      }
      if (at >= earliest && (digest & (MEAN_CUT_CELLS - 1)) === 0) break;
    }
    return at;
  }

  #store(cells: Uint8Array): Uint8Array {
    if (this.#slabUsedBytes + cells.byteLength > this.#slab.byteLength) {
      this.#slab = new Uint8Array(Math.max(this.#nextSlabBytes, cells.byteLength));
      this.#nextSlabBytes = Math.min(2 * this.#nextSlabBytes, LARGEST_SLAB_BYTES);
      this.#slabUsedBytes = 0;
      this.#sizeBytes += this.#slab.byteLength;
    }
    const at = this.#slabUsedBytes;
    const stored = this.#slab.subarray(at, at + cells.byteLength);
    stored.set(cells);
    this.#slabUsedBytes += cells.byteLength;
    this.#sizeBytes += CHUNK_BYTES;
    return stored;
  }
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
