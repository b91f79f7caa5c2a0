import { Curve } from "./curve";
import { Felt } from "./felt";
import { SignedTable } from "./signed-table";

/** Window width in bits of the generator's table, which takes 287 kB. */
export const GENERATOR_STEP: usize = 8;
const GENERATOR_TABLE: usize = heap.alloc(SignedTable.bytes(GENERATOR_STEP));
const GENERATOR: usize = memory.data<u64>([
  0x3d723d8bc943cfca, 0xdeacfd9b0d1819e0, 0x7beced415a40f0c7, 0x01ef15c18599971b,
  0x2873000c36e8dc1f, 0xde53ecd11abe43a3, 0xb7be4801df46ec62, 0x005668060aa49730,
]);
let hasGenerator: bool = false;

/**
 * Window width in bits of the tables of other points, of 35 kB each, 18.1 MB together. Unused tables only take
 * address space; an instance touches as many tables as it has repeated points.
 */
export const POINT_STEP: usize = 4;
const POINT_TABLE_BYTES: usize = 65 * 8 * 68;
const WAYS: usize = 16;
const SETS: usize = 32;
const SET_BITS: u64 = 5;
let tables: usize = 0;

/** Per table: its point, the point's mark, and the time of the last use. */
const KEYS: usize = heap.alloc(SETS * WAYS * 64);
const MARKS: usize = heap.alloc(SETS * WAYS * 4);
const USED_AT: usize = heap.alloc(SETS * WAYS * 4);
let uses: u32 = 0;

/** Marks of points that were recently seen once. */
const SEEN_BITS: u64 = 12;
const SEEN: usize = heap.alloc(1 << (<usize>SEEN_BITS + 2));

const BASE: usize = memory.data(64, 32);

/**
 * Tables of points that are multiplied often: the generator, and the public keys of signers. Points are
 * canonical affine.
 *
 * A point gets its table on its second use, replacing the least recently used one of its set. Building takes
 * as long as one and a half operations without a table. So a caller that uses every point exactly twice slows
 * its operations by two thirds.
 */
export class BaseTables {
  /** Bytes of all tables except the generator's; whole pages of 64 KiB. */
  static readonly BYTES: usize = (SETS * WAYS * POINT_TABLE_BYTES + 0xffff) & ~0xffff;

  /**
   * Sets the address of these tables, which must hold zeros and be aligned to 64-byte lines. A kernel calls
   * it before use: memory allocated early is copied, and so touched, when memory grows.
   */
  static place(at: usize): void {
    tables = at;
  }

  @inline
  static isGenerator(point: usize): bool {
    return BaseTables.isSame(GENERATOR, point);
  }

  /** Table of the generator; step {@link GENERATOR_STEP}. */
  static ofGenerator(): usize {
    if (!hasGenerator) {
      hasGenerator = true;
      Curve.enter(BASE, GENERATOR);
      SignedTable.build(GENERATOR_TABLE, BASE, GENERATOR_STEP);
    }
    return GENERATOR_TABLE;
  }

  /** Returns the table of a point, of step {@link POINT_STEP}; 0 if it has none. */
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
   * Records a use of a curve point for which {@link find} returned 0.
   *
   * @returns its table when it was seen before, else 0
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
      // Compares differences, because the use counter may have wrapped around.
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

  /** Never 0, which marks free entries. */
  @inline
  private static markOf(hash: u64): u32 {
    return (<u32>(hash >> 14)) | 1;
  }

  /** Uses other bits than the index into {@link SEEN}. */
  @inline
  private static firstOfSet(hash: u64): usize {
    return <usize>((hash >> (64 - SEEN_BITS - SET_BITS)) & (SETS - 1)) * WAYS;
  }

  @inline
  private static isSame(key: usize, point: usize): bool {
    return Felt.eq(key, point) && Felt.eq(key + 32, point + 32);
  }
}
