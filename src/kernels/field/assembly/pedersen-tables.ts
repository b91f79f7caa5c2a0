import { Batch, BATCH_SCRATCH_BYTES } from "./batch";
import { Curve } from "./curve";
import { Felt } from "./felt";
import { Table } from "./table";
import { Wide } from "./wide";

/** Bits of an argument that multiply its first base; the other four multiply the second one. */
const LOW_BITS: usize = 248;

/** Maximum of those four bits in a felt, and the number of their values. */
const MAX_HIGH: usize = 8;
const HIGHS: usize = MAX_HIGH + 1;

/**
 * Window widths in bits: a hash sums 100, 56 or 46 points from 0.1, 0.9 or 3 MB. Wider windows are slower:
 * their tables exceed the caches.
 */
const NARROW_STEP: usize = 5;
const MIDDLE_STEP: usize = 9;
const WIDE_STEP: usize = 11;

/** Maximum number of points that one Pedersen hash adds up, with the narrowest tables. */
export const MAX_POINTS: usize = 2 * (LOW_BITS / NARROW_STEP + 1);

/** Maximum number of values of the bits above the rows: six bits and a carry. */
const MAX_LEFTS: usize = 65;

const NARROW: usize = PedersenTables.reserve(NARROW_STEP);
const MIDDLE: usize = PedersenTables.reserve(MIDDLE_STEP);
const WIDE: usize = PedersenTables.reserve(WIDE_STEP);

/** Multiples of a high base, and of the first multiple of a low base that no row holds. */
const HIGH_POINTS: usize = heap.alloc(MAX_HIGH << 6);
const LEFT_POINTS: usize = heap.alloc(MAX_LEFTS << 6);
const SCRATCH: usize = heap.alloc(MAX_LEFTS * BATCH_SCRATCH_BYTES);
const WORK: usize = memory.data(128, 32);
const BASE: usize = memory.data(64, 32);

/** Low bits of an argument plus {@link HALVES}; a window may read the bytes after it. */
const SCALAR: usize = memory.data(40, 32);

const HALVES: usize = memory.data(32, 32);

/**
 * Constant points as affine coordinates: the shift point, then the low and high base of the first and of the
 * second argument. Source: Starknet docs "Cryptography / Pedersen hash".
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

/** Current tables; step 0 before the first build. */
let step: usize = 0;
let rowCount: usize = 0;
let rows: usize = 0;
let tops: usize = 0;
let leftCount: usize = 0;

/** Keeps the compiler from dropping the prefetching reads of {@link PedersenTables.gather}. */
let touched: u64 = 0;

/**
 * Multiples of the bases of the Pedersen hash, affine in Montgomery form.
 *
 * Each argument has rows of signed windows over the low base, then one "top" point for all other bits: the
 * bits above the rows with their carry, and the high bits. The tops also contain the shift point: twice in
 * those of the first argument, minus once in those of the second, so that none is neutral.
 *
 *     | rows of a | rows of b | tops of a | tops of b |    top of (high, left) at high * leftCount + left
 */
export class PedersenTables {
  /** Selects tables for the first hashes: quick to build. */
  static useNarrow(): void {
    if (step < NARROW_STEP) PedersenTables.build(NARROW, NARROW_STEP);
  }

  /** Selects tables for moderate use: building takes as long as some hundred hashes. */
  static useMiddle(): void {
    if (step < MIDDLE_STEP) PedersenTables.build(MIDDLE, MIDDLE_STEP);
  }

  /** Selects tables for continuous use: building takes as long as a thousand hashes. */
  static useWide(): void {
    if (step < WIDE_STEP) PedersenTables.build(WIDE, WIDE_STEP);
  }

  /**
   * Lists the points to sum for the hash of the two canonical felts at `pair`: at least two u32, each the
   * address of a point with its lowest bit set if the point is subtracted.
   *
   * @returns the number of points; the first one is added
   */
  static gather(list: usize, pair: usize): u32 {
    const middle = PedersenTables.gatherArgument(list, pair, 0);
    const end = PedersenTables.gatherArgument(middle, pair + 32, 1);
    return <u32>((end - list) >> 2);
  }

  /** Appends the points of one argument at `at`. @returns the end of the list */
  static gatherArgument(at: usize, argument: usize, index: usize): usize {
    const limb3 = load<u64>(argument, 24);
    const s0 = Wide.add(load<u64>(argument), load<u64>(HALVES), 0);
    const s1 = Wide.add(load<u64>(argument, 8), load<u64>(HALVES, 8), Wide.hi);
    const s2 = Wide.add(load<u64>(argument, 16), load<u64>(HALVES, 16), Wide.hi);
    const s3 = (limb3 & 0x00ffffffffffffff) + load<u64>(HALVES, 24) + Wide.hi;
    Felt.set(SCALAR, s0, s1, s2, s3);
    const high = <usize>(limb3 >> 56);
    const left = <usize>(s3 >> (rowCount * step - 192));
    store<u32>(at, <u32>(tops + (((index * HIGHS + high) * leftCount + left) << 6)));
    at += 4;
    const half: i32 = 1 << (<i32>step - 1);
    const mask: u64 = (1 << step) - 1;
    const end = rowCount * step;
    let row = <u32>Table.at(rows, half, index * rowCount, 0);
    for (let bit: usize = 0; bit < end; bit += step) {
      const window = load<u64>(SCALAR + (bit >> 3)) >> (bit & 7);
      // Half a window was added to every row; subtracting it gives signed digits.
      const digit = <i32>(window & mask) - half;
      const sign = digit >> 31;
      const point = row + (((digit ^ sign) - sign) << 6);
      // Wide tables exceed the processor's caches: prefetch the points while computing the next ones.
      touched ^= load<u64>(<usize>point, 32);
      store<u32>(at, point | (sign & 1));
      at += (<usize>(digit != 0)) << 2;
      row += half << 6;
    }
    return at;
  }

  static rowPoints(bits: usize): usize {
    return (LOW_BITS / bits) << (bits - 1);
  }

  static lefts(bits: usize): usize {
    return ((<usize>1) << (LOW_BITS % bits)) + 1;
  }

  /** Reserves tables aligned to cache lines, so that a point takes one line. */
  static reserve(bits: usize): usize {
    const points = 2 * (PedersenTables.rowPoints(bits) + HIGHS * PedersenTables.lefts(bits));
    return (heap.alloc((points << 6) + 63) + 63) & ~63;
  }

  static build(at: usize, bits: usize): void {
    step = bits;
    rowCount = LOW_BITS / bits;
    leftCount = PedersenTables.lefts(bits);
    rows = at;
    tops = at + (PedersenTables.rowPoints(bits) << 7);
    memory.fill(HALVES, 0, 32);
    for (let bit = bits - 1; bit < rowCount * bits; bit += bits) {
      const limb = HALVES + ((bit >> 6) << 3);
      store<u64>(limb, load<u64>(limb) | ((<u64>1) << (bit & 63)));
    }
    const columns = (<usize>1) << (bits - 1);
    for (let index: usize = 0; index < 2; index++) {
      Curve.enter(BASE, BASES + index * 128);
      Table.build(Table.at(at, columns, index * rowCount, 1), BASE, rowCount, bits, columns);
      PedersenTables.buildTops(tops + ((index * HIGHS * leftCount) << 6), index);
    }
  }

  /** Builds the tops of one argument, after its rows. */
  static buildTops(top: usize, index: usize): void {
    // The last point of the rows is 2^(rowCount step - 1) times the low base.
    const columns = (<usize>1) << (step - 1);
    Curve.fromAffine(WORK, Table.at(rows, columns, (index + 1) * rowCount, 0));
    Curve.double(WORK);
    Curve.toAffine(BASE, WORK);
    Table.build(LEFT_POINTS, BASE, 1, (LOW_BITS % step) + 1, leftCount - 1);
    Curve.enter(BASE, BASES + index * 128 + 64);
    Table.build(HIGH_POINTS, BASE, 1, 4, MAX_HIGH);
    Curve.enter(BASE, SHIFT);
    Curve.fromAffine(WORK, BASE);
    if (index == 0) Curve.double(WORK);
    else Curve.negate(WORK);
    Curve.toAffine(top, WORK);
    const stride = leftCount << 6;
    Batch.addToEach(top + stride, stride, top, HIGH_POINTS, MAX_HIGH, SCRATCH);
    for (let high: usize = 0; high < HIGHS; high++) {
      const first = top + high * stride;
      Batch.addToEach(first + 64, 64, first, LEFT_POINTS, leftCount - 1, SCRATCH);
    }
  }
}
