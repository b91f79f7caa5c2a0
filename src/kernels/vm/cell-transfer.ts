import type { Felt } from "#base/primitives/index.ts";
import { LAYOUT } from "./abi.ts";
import {
  type Address,
  type CellValue,
  CellView,
  readCell,
  writeAddressCell,
  writeFeltCell,
} from "./cells.ts";
import type { VmExports } from "./exports.ts";
import { FeltBlock } from "./felt-block.ts";

const { CELL_BYTES, FAR_OFFSET, MAX_SEGMENT_CELLS, TRANSFER_CELLS } = LAYOUT;

/** Minimum number of cells for which a segment written in one call gets exactly its size. */
const MIN_RESERVED_CELLS = 1024;

/** Reads and writes cells of the top frame through the kernel's transfer area. */
export class CellTransfer {
  readonly #exports: VmExports;
  readonly #pause: () => void;
  readonly #address: number;
  readonly #bytes: Uint8Array;
  readonly #cells: CellView;

  /** @param pause - called between parts of long work */
  constructor(exports: VmExports, pause: () => void) {
    this.#exports = exports;
    this.#pause = pause;
    this.#address = exports.transfer.value >>> 0;
    this.#bytes = new Uint8Array(exports.memory.buffer);
    this.#cells = new CellView(exports.memory.buffer);
  }

  /** Integer or address in the first cell of the transfer area. */
  get value(): CellValue {
    return readCell(this.#cells, this.#address >>> 3);
  }

  /** Writes a value to the first cell of the transfer area. */
  set value(value: Felt | Address) {
    this.#put(0, value);
  }

  read(address: Address): CellValue {
    if (address.offset > FAR_OFFSET) return undefined;
    this.#exports.readCells(address.segment, address.offset, 1);
    return readCell(this.#cells, this.#address >>> 3);
  }

  readMany(address: Address, count: number): CellValue[] {
    if (address.offset + count > FAR_OFFSET) return Array.from({ length: count }, () => undefined);
    const values: CellValue[] = [];
    const first = this.#address >>> 3;
    for (let done = 0; done < count; done += TRANSFER_CELLS) {
      const part = Math.min(count - done, TRANSFER_CELLS);
      if (done > 0) this.#pause();
      this.#exports.readCells(address.segment, address.offset + done, part);
      for (let i = 0; i < part; i++) values.push(readCell(this.#cells, first + i * 4));
    }
    return values;
  }

  /** Reads `count` integer cells. @returns `undefined` if one is unwritten or an address */
  readBlock(address: Address, count: number): FeltBlock | undefined {
    if (count === 0) return FeltBlock.EMPTY;
    if (address.offset + count > FAR_OFFSET) return undefined;
    const at = this.#exports.integersAt(address.segment, address.offset, count) >>> 0;
    return at === 0 ? undefined : new FeltBlock(this.#bytes.slice(at, at + count * CELL_BYTES));
  }

  /**
   * Writes consecutive cells.
   *
   * @returns `false` if one cell has another value or is not writable; the kernel's failure record has the
   *   cause, except for offsets above {@link LAYOUT.FAR_OFFSET}
   */
  writeBlock(address: Address, { cells, length }: FeltBlock): boolean {
    if (address.offset + length > FAR_OFFSET) return false;
    if (address.offset === 0 && length >= MIN_RESERVED_CELLS && length <= MAX_SEGMENT_CELLS) {
      this.#exports.reserve(address.segment, length);
    }
    for (let done = 0; done < length; done += TRANSFER_CELLS) {
      const part = Math.min(length - done, TRANSFER_CELLS);
      const isAll = part === length;
      const piece = isAll ? cells : cells.subarray(done * CELL_BYTES, (done + part) * CELL_BYTES);
      this.#bytes.set(piece, this.#address);
      if (this.#exports.writeCells(address.segment, address.offset + done, part) !== 1)
        return false;
    }
    return true;
  }

  /**
   * Writes a cell.
   *
   * @returns `false` if the cell has another value or is not writable; the kernel's failure record has the
   *   cause, except for offsets above {@link LAYOUT.FAR_OFFSET}
   */
  write(address: Address, value: Felt | Address): boolean {
    if (address.offset > FAR_OFFSET) return false;
    this.#put(0, value);
    return this.#exports.writeCells(address.segment, address.offset, 1) === 1;
  }

  /**
   * Writes consecutive cells.
   *
   * @returns `false` if one cell has another value or is not writable; the kernel's failure record has the
   *   cause, except for offsets above {@link LAYOUT.FAR_OFFSET}
   */
  writeMany(address: Address, values: readonly (Felt | Address)[]): boolean {
    if (address.offset + values.length > FAR_OFFSET) return false;
    for (let done = 0; done < values.length; done += TRANSFER_CELLS) {
      const part = Math.min(values.length - done, TRANSFER_CELLS);
      if (done > 0) this.#pause();
      for (let i = 0; i < part; i++) this.#put(i, values[done + i] as Felt | Address);
      if (this.#exports.writeCells(address.segment, address.offset + done, part) !== 1)
        return false;
    }
    return true;
  }

  #put(at: number, value: Felt | Address): void {
    const index = (this.#address >>> 3) + at * 4;
    if (typeof value === "bigint") writeFeltCell(this.#cells, index, value);
    else writeAddressCell(this.#cells, index, value);
  }
}
