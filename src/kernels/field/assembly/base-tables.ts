import { Curve } from "./curve";
import { Felt } from "./felt";
import { Table } from "./table";

/** Unsigned windows of four bits over 256 bits. */
const ROWS: usize = 64;
const STEP: usize = 4;
const COLUMNS: usize = 15;
const TABLE_BYTES: usize = ROWS * COLUMNS * 64;

/** Points that have a table, each in the slot that its coordinates say. */
const SLOTS: usize = 16;
const TABLES: usize = heap.alloc(SLOTS * TABLE_BYTES);
const KEYS: usize = memory.data(1024, 32);

/** Points that were seen of late: the coordinates, and how often. */
const SEEN_SLOTS: usize = 64;
const SEEN_KEYS: usize = memory.data(4096, 32);
const SEEN_COUNTS: usize = memory.data(64, 8);

/**
 * The use of a point for which its table is built. Building takes as long as three operations
 * without a table: whoever changes points just then makes operations dearer by a quarter, not more.
 */
const BUILT_AT: u8 = 8;

const BASE: usize = memory.data(64, 32);

/** Tables of the points that are multiplied again and again, such as the generator. */
export class BaseTables {
  /**
   * The table of a point of the curve in canonical affine form: row i, digit d holds d 2^(4 i)
   * times the point ({@link Table}).
   *
   * @returns 0 for a point that was seen too seldom
   */
  static of(point: usize): usize {
    const hash = <usize>((load<u64>(point) * 0x9e3779b97f4a7c15) >> 58);
    const slot = hash & (SLOTS - 1);
    const key = KEYS + (slot << 6);
    const table = TABLES + slot * TABLE_BYTES;
    if (BaseTables.isSame(key, point)) return table;
    const seen = SEEN_KEYS + (hash << 6);
    if (!BaseTables.isSame(seen, point)) {
      memory.copy(seen, point, 64);
      store<u8>(SEEN_COUNTS + hash, 1);
      return 0;
    }
    const count = load<u8>(SEEN_COUNTS + hash) + 1;
    store<u8>(SEEN_COUNTS + hash, count);
    if (count < BUILT_AT) return 0;
    store<u8>(SEEN_COUNTS + hash, 0);
    memory.copy(key, point, 64);
    Curve.enter(BASE, point);
    Table.build(table, BASE, ROWS, STEP, COLUMNS);
    return table;
  }

  /** The multiple of a table's point. */
  @inline
  static at(table: usize, row: usize, digit: usize): usize {
    return Table.at(table, COLUMNS, row, digit);
  }

  @inline
  private static isSame(key: usize, point: usize): bool {
    return Felt.eq(key, point) && Felt.eq(key + 32, point + 32);
  }
}
