import { LAYOUT } from "./abi.ts";
import { KNOWN, VALUE } from "./cells.ts";
import { ContentTable } from "./content-table.ts";

const { CELL_BYTES } = LAYOUT;
const CELL_WORDS = CELL_BYTES / 4;

/** Minimum and maximum number of cells of a chunk. */
const MIN_CHUNK_CELLS = 128;
const MAX_CHUNK_CELLS = 1_024;

/** Average number of cells between cuts within these bounds; a power of two. */
const MEAN_CUT_CELLS = 256;

/**
 * Sizes of the slabs that hold the chunks, so that few buffers hold many chunks: each slab is twice as large
 * as the previous one, up to the limit.
 */
const FIRST_SLAB_BYTES = 8 << 10;
const LARGEST_SLAB_BYTES = 1 << 20;

/** Overhead of a chunk: its view, and its entry in the table of digests. */
const CHUNK_BYTES = 96;

/**
 * Deduplicated storage for lists of felts with common parts, such as the data that calls of one transaction
 * pass to each other. A transaction can pass the same million felts to thousands of calls, shifted by one
 * each time, for the gas of writing them once.
 *
 * A list is cut into chunks depending on its content (content-defined chunking as in Muthitacharoen, Chen and
 * Mazières, "A low-bandwidth network file system", 2001): equal parts of two lists have equal chunks wherever
 * they start. A random key prevents an attacker from choosing content without cuts.
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

  /** Approximate bytes of all lists together. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Stores a list.
   *
   * @param cells - integer cells, at the start of a buffer; access marks in their flags are cleared
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

  /** Returns the cells of a chunk; they must not be changed. */
  chunk(number: number): Uint8Array {
    return this.#chunks[number] as Uint8Array;
  }

  /**
   * Finds the end of a chunk and clears the access marks of its cells. @returns the index of the word after
   * it
   */
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
