import { Batch, BATCH_SCRATCH_BYTES } from "./batch";
import { Curve } from "./curve";
import { Felt } from "./felt";
import { Table } from "./table";

/** Bits of an argument that multiply its first base; the other four multiply the second. */
const LOW_BITS: usize = 248;

/** Unsigned digits of the table over a high base. */
const HIGH_COLUMNS: usize = 15;

/**
 * Per argument a table of signed windows over the low base and one row over the high base. The
 * narrow tables are quick to build; the wide ones, 3 MB of 47 000 points, are worth it only for a
 * thread that hashes a lot.
 */
const NARROW_STEP: usize = 5;
const NARROW_ROWS: usize = 50;
const NARROW_BYTES: usize = (NARROW_ROWS << (NARROW_STEP - 1)) << 6;
const WIDE_STEP: usize = 11;
const WIDE_ROWS: usize = 23;
const WIDE_BYTES: usize = (WIDE_ROWS << (WIDE_STEP - 1)) << 6;
const NARROW_TABLES: usize = heap.alloc(2 * NARROW_BYTES);
/** On a border of cache lines, so that a point is one line. */
const WIDE_TABLES: usize = (heap.alloc(2 * WIDE_BYTES + 63) + 63) & ~63;
const HIGH_BYTES: usize = HIGH_COLUMNS << 6;
const HIGH_TABLES: usize = heap.alloc(2 * HIGH_BYTES);

/** Hashes made with the narrow tables before the wide ones are built. */
const NARROW_HASHES: usize = 256;

/** Hashes of a batch are worked on in groups of this many. */
const GROUP: usize = 64;

/** At most 102 table points and the shift point per hash. */
const MAX_POINTS: usize = 103;
const POINTS: usize = heap.alloc(GROUP * MAX_POINTS * 64);
const SCRATCH: usize = heap.alloc((GROUP * MAX_POINTS * BATCH_SCRATCH_BYTES) / 2);
const COUNTS: usize = memory.data(256, 8);

/** Direct-mapped memo: per slot the two arguments and the hash; a slot of zeros is free. */
const MEMO_SLOTS: usize = 4096;
const MEMO: usize = heap.alloc(MEMO_SLOTS * 96);

const WORK: usize = memory.data(128, 32);
const ARGUMENTS: usize = memory.data(64, 32);
const INVERSE: usize = memory.data(32, 32);

/**
 * Constant points, as affine coordinates: the shift point, then the low and high base of the first
 * argument and of the second. Source: Starknet docs "Cryptography / Pedersen hash".
 */
const SHIFT: usize = memory.data<u64>([
  0x551fde4050ca6804, 0x716b0b1022947733, 0x00ee1b87eb599f16, 0x049ee3eba8c16007,
  0xd0405d266e10268a, 0x4e621062c0e056c1, 0xf346d49d06ea0ed3, 0x03ca0cfe4b3bc6dd,
]);
const BASES: usize = memory.data<u64>([
  0x1080d17957ebe47b, 0x8fa8120b6d56eb0c, 0x969c748655fca9e5, 0x0234287dcbaffe7f,
  0x6ed0268ee89e5615, 0x940135dd7a6c94cc, 0x1e889527d41f4e39, 0x03b056f100f96fb2,
  0xb7a6932dba8aa378, 0x99099ec1de5e3018, 0x3f9dab2656558f33, 0x04fa56f376c83db3,
  0x5168f4e80ff5b54d, 0x562761f92a7a23b4, 0x8113e0c0e47e4401, 0x03fa0984c931c9e3,
  0x3aa372f0bd2d6997, 0x40c690c74709e90f, 0x764910f75b45f74b, 0x04ba4cc166be8dec,
  0x48151f27b24b219c, 0xcac5c59a5ce5ae7c, 0x4b971e46c4ede85f, 0x0040301cf5c1751f,
  0xd36ff12c49a58202, 0x2ca65048d53fb325, 0x6e44cca8f61a63bb, 0x054302dcb0e6cc1c,
  0x879dcc77e99c2426, 0xce98ad783c25561a, 0xb348046268d8ae25, 0x01b77b3e37d13504,
]);
const SHIFT_MONT: usize = memory.data(64, 32);

/** The tables in use; step 0 before the first hash. */
let step: usize = 0;
let rowCount: usize = 0;
let tables: usize = 0;
let tableBytes: usize = 0;
let hashCount: usize = 0;

/**
 * Pedersen hash: x of shift + low(a) P1 + high(a) P2 + low(b) P3 + high(b) P4, where low is the
 * low 248 bits and high the rest. Arguments and result are canonical felts.
 *
 * The points that are ever added differ in x: over one base they are sums of different windows, so
 * of different magnitude and far below half the order; no relation between the bases is known.
 */
export class Pedersen {
  /** out = H(a, b), through the memo. */
  static hash(out: usize, a: usize, b: usize): void {
    const slot = Pedersen.memoSlot(a, b);
    if (Felt.eq(slot, a) && Felt.eq(slot + 32, b) && !Felt.isZero(slot + 64)) {
      Felt.copy(out, slot + 64);
      return;
    }
    Felt.copy(ARGUMENTS, a);
    Felt.copy(ARGUMENTS + 32, b);
    Pedersen.hashAlone(out, ARGUMENTS);
    Felt.copy(slot, ARGUMENTS);
    Felt.copy(slot + 32, ARGUMENTS + 32);
    Felt.copy(slot + 64, out);
  }

  /** out = H of the two consecutive felts at `pair`, never through the memo. */
  static hashAlone(out: usize, pair: usize): void {
    Pedersen.prepare(1);
    const end = POINTS + (Pedersen.gather(POINTS, pair) << 6);
    Curve.fromAffine(WORK, POINTS);
    for (let point = POINTS + 64; point < end; point += 64) Curve.addAffine(WORK, point);
    Felt.invMont(INVERSE, WORK + 64);
    Felt.mulMont(INVERSE, INVERSE, WORK);
    Felt.fromMont(out, INVERSE);
  }

  /**
   * out[i] = H(pairs[2 i], pairs[2 i + 1]) for i < count; `out` may be `pairs`. Sums the points of
   * each hash pairwise, so that a group of hashes needs seven inversions in all (eight with the narrow tables).
   */
  static hashBatch(out: usize, pairs: usize, count: usize): void {
    Pedersen.prepare(count);
    let done: usize = 0;
    // One more pass of seven inversions costs as much as about three hashes made alone.
    while (count - done > 3) {
      const size = min(count - done, GROUP);
      Pedersen.hashGroup(out + done * 32, pairs + done * 64, size);
      done += size;
    }
    for (; done < count; done++) Pedersen.hashAlone(out + done * 32, pairs + done * 64);
  }

  static hashGroup(out: usize, pairs: usize, size: usize): void {
    let largest: u32 = 1;
    for (let i: usize = 0; i < size; i++) {
      const count = Pedersen.gather(POINTS + i * MAX_POINTS * 64, pairs + i * 64);
      store<u32>(COUNTS + i * 4, count);
      largest = max(largest, count);
    }
    while (largest > 1) {
      Pedersen.halve(size);
      largest = (largest + 1) >> 1;
    }
    for (let i: usize = 0; i < size; i++) {
      Felt.fromMont(out + i * 32, POINTS + i * MAX_POINTS * 64);
    }
  }

  /** Copies the points to be summed for one hash to `list` and returns how many they are. */
  static gather(list: usize, pair: usize): u32 {
    memory.copy(list, SHIFT_MONT, 64);
    let at = list + 64;
    at = Pedersen.gatherArgument(at, pair, 0);
    at = Pedersen.gatherArgument(at, pair + 32, 1);
    return <u32>((at - list) >> 6);
  }

  /** Appends the points of one argument at `at` and returns the end. */
  static gatherArgument(at: usize, argument: usize, index: usize): usize {
    const columns = (<usize>1) << (step - 1);
    const table = tables + index * tableBytes;
    let carry: usize = 0;
    for (let row: usize = 0; row < rowCount; row++) {
      const from = row * step;
      const size = min(step, LOW_BITS - from);
      // Reads past the felt in the last rows; `size` leaves those bits out.
      const bits = load<u64>(argument + (from >> 3)) >> (from & 7);
      const digit = <usize>(bits & ((1 << size) - 1)) + carry;
      const isNegative = digit > columns;
      carry = isNegative ? 1 : 0;
      const magnitude = isNegative ? ((<usize>1) << step) - digit : digit;
      if (magnitude == 0) continue;
      const point = Table.at(table, columns, row, magnitude);
      Felt.copy(at, point);
      if (isNegative) Felt.neg(at + 32, point + 32);
      else Felt.copy(at + 32, point + 32);
      at += 64;
    }
    const high = load<u8>(argument + 31);
    if (high == 0) return at;
    memory.copy(at, Table.at(HIGH_TABLES + index * HIGH_BYTES, HIGH_COLUMNS, 0, high), 64);
    return at + 64;
  }

  /** Adds neighbours in every list; an odd last point moves up. */
  static halve(size: usize): void {
    Batch.begin();
    let scratch = SCRATCH;
    for (let i = size; i > 0; i--) {
      const list = POINTS + (i - 1) * MAX_POINTS * 64;
      for (let k = load<u32>(COUNTS + (i - 1) * 4) >> 1; k > 0; k--) {
        const pair = list + ((k - 1) << 7);
        Batch.prepare(pair, pair + 64, scratch);
        scratch += BATCH_SCRATCH_BYTES;
      }
    }
    Batch.invert();
    // Forward, so that a result overwrites only what has been read.
    for (let i: usize = 0; i < size; i++) {
      const list = POINTS + i * MAX_POINTS * 64;
      const count = load<u32>(COUNTS + i * 4);
      const half = count >> 1;
      for (let k: u32 = 0; k < half; k++) {
        const pair = list + (k << 7);
        scratch -= BATCH_SCRATCH_BYTES;
        Batch.finish(list + (k << 6), pair, pair + 64, scratch);
      }
      if ((count & 1) != 0) memory.copy(list + (half << 6), list + ((count - 1) << 6), 64);
      store<u32>(COUNTS + i * 4, (count + 1) >> 1);
    }
  }

  static memoSlot(a: usize, b: usize): usize {
    const mixed =
      (load<u64>(a) ^ rotl(load<u64>(a, 8), 17) ^ rotl(load<u64>(a, 24), 43)) * 0x9e3779b97f4a7c15 +
      (load<u64>(b) ^ rotl(load<u64>(b, 8), 29) ^ rotl(load<u64>(b, 24), 11));
    return MEMO + <usize>((mixed * 0xd6e8feb86659fd93) >> 52) * 96;
  }

  /** Makes sure that there are tables, and the wide ones for who hashes much. */
  static prepare(count: usize): void {
    hashCount += count;
    if (step == WIDE_STEP) return;
    if (hashCount > NARROW_HASHES) {
      Pedersen.buildTables(WIDE_TABLES, WIDE_BYTES, WIDE_STEP, WIDE_ROWS);
    } else if (step == 0) {
      Pedersen.buildTables(NARROW_TABLES, NARROW_BYTES, NARROW_STEP, NARROW_ROWS);
    }
  }

  static buildTables(at: usize, bytes: usize, bits: usize, rows: usize): void {
    tables = at;
    tableBytes = bytes;
    step = bits;
    rowCount = rows;
    Curve.enter(SHIFT_MONT, SHIFT);
    for (let index: usize = 0; index < 2; index++) {
      Curve.enter(WORK, BASES + index * 128);
      Table.build(at + index * bytes, WORK, rows, bits, 1 << (bits - 1));
      Curve.enter(WORK, BASES + index * 128 + 64);
      Table.build(HIGH_TABLES + index * HIGH_BYTES, WORK, 1, 4, HIGH_COLUMNS);
    }
  }
}
