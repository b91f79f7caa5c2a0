import { Curve } from "./curve";
import { Felt } from "./felt";
import { SignedTable } from "./signed-table";

/** The table of the generator: 287 kB. */
export const GENERATOR_STEP: usize = 8;
const GENERATOR_TABLE: usize = heap.alloc(SignedTable.bytes(GENERATOR_STEP));
const GENERATOR: usize = memory.data<u64>([
  0x3d723d8bc943cfca, 0xdeacfd9b0d1819e0, 0x7beced415a40f0c7, 0x01ef15c18599971b,
  0x2873000c36e8dc1f, 0xde53ecd11abe43a3, 0xb7be4801df46ec62, 0x005668060aa49730,
]);
let hasGenerator: bool = false;

/**
 * The tables of other points, 35 kB each and 18.1 MB together. What is not used is address space
 * alone: an instance touches as many of them as it sees points again.
 */
export const POINT_STEP: usize = 4;
const POINT_TABLE_BYTES: usize = 65 * 8 * 68;
const WAYS: usize = 16;
const SETS: usize = 32;
const SET_BITS: u64 = 5;
let tables: usize = 0;

/** Per table the point, a mark of it, and when it was used last. */
const KEYS: usize = heap.alloc(SETS * WAYS * 64);
const MARKS: usize = heap.alloc(SETS * WAYS * 4);
const USED_AT: usize = heap.alloc(SETS * WAYS * 4);
let uses: u32 = 0;

/** Marks of points that were seen once of late. */
const SEEN_BITS: u64 = 12;
const SEEN: usize = heap.alloc(1 << (<usize>SEEN_BITS + 2));

const BASE: usize = memory.data(64, 32);

/**
 * Tables of the points that are multiplied again and again: the generator, and the public keys of
 * those who sign. Points are canonical affine.
 *
 * A point gets its table when it is seen the second time, in place of the one of its set that was
 * not used for longest. Building takes as long as an operation and a half without a table: whoever
 * shows every point just twice makes his own operations dearer by two thirds.
 */
export class BaseTables {
  /** Bytes of the tables of points other than the generator; whole pages of 64 KiB. */
  static readonly BYTES: usize = (SETS * WAYS * POINT_TABLE_BYTES + 0xffff) & ~0xffff;

  /**
   * Says where these tables are to be, in zeros and aligned to lines of 64 bytes. A kernel calls it
   * before it is used: memory that is taken early is copied, and so touched, when more is taken.
   */
  static place(at: usize): void {
    tables = at;
  }

  @inline
  static isGenerator(point: usize): bool {
    return BaseTables.isSame(GENERATOR, point);
  }

  /** The generator's table; step {@link GENERATOR_STEP}. */
  static ofGenerator(): usize {
    if (!hasGenerator) {
      hasGenerator = true;
      Curve.enter(BASE, GENERATOR);
      SignedTable.build(GENERATOR_TABLE, BASE, GENERATOR_STEP);
    }
    return GENERATOR_TABLE;
  }

  /** The table of a point, of step {@link POINT_STEP}; 0 when it has none. */
  static find(point: usize): usize {
    const hash = BaseTables.hash(point);
    const mark = BaseTables.markOf(hash);
    const first = BaseTables.firstOfSet(hash);
    for (let slot = first; slot < first + WAYS; slot++) {
      if (load<u32>(MARKS + (slot << 2)) != mark) continue;
      if (!BaseTables.isSame(KEYS + (slot << 6), point)) continue;
      store<u32>(USED_AT + (slot << 2), ++uses);
      return tables + slot * POINT_TABLE_BYTES;
    }
    return 0;
  }

  /**
   * Takes note of a point of the curve that {@link find} does not know.
   *
   * @returns its table when it is seen again, else 0
   */
  static note(point: usize): usize {
    const hash = BaseTables.hash(point);
    const seen = SEEN + ((<usize>(hash >> (64 - SEEN_BITS))) << 2);
    const mark = BaseTables.markOf(hash);
    if (load<u32>(seen) != mark) {
      store<u32>(seen, mark);
      return 0;
    }
    const first = BaseTables.firstOfSet(hash);
    let oldest = first;
    for (let slot = first + 1; slot < first + WAYS; slot++) {
      // Differences, since the count of uses may have begun anew.
      const age = uses - load<u32>(USED_AT + (slot << 2));
      if (age > uses - load<u32>(USED_AT + (oldest << 2))) oldest = slot;
    }
    const table = tables + oldest * POINT_TABLE_BYTES;
    Curve.enter(BASE, point);
    SignedTable.build(table, BASE, POINT_STEP);
    memory.copy(KEYS + (oldest << 6), point, 64);
    store<u32>(MARKS + (oldest << 2), mark);
    store<u32>(USED_AT + (oldest << 2), ++uses);
    return table;
  }

  @inline
  private static hash(point: usize): u64 {
    return (load<u64>(point) ^ rotl(load<u64>(point, 32), 29)) * 0x9e3779b97f4a7c15;
  }

  /** Not 0, which is for what is empty. */
  @inline
  private static markOf(hash: u64): u32 {
    return (<u32>(hash >> 14)) | 1;
  }

  /** Of other bits than what {@link SEEN} goes by. */
  @inline
  private static firstOfSet(hash: u64): usize {
    return <usize>((hash >> (64 - SEEN_BITS - SET_BITS)) & (SETS - 1)) * WAYS;
  }

  @inline
  private static isSame(key: usize, point: usize): bool {
    return Felt.eq(key, point) && Felt.eq(key + 32, point + 32);
  }
}
