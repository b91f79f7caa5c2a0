import { Batch, BATCH_SCRATCH_BYTES } from "./batch";
import { Curve } from "./curve";
import { Felt } from "./felt";

/**
 * Maximum number of additions per inversion, at least half the columns; maximum bits of all rows together.
 */
const MAX_PAIRS: usize = 2048;
const MAX_BITS: usize = 264;

const SCRATCH: usize = heap.alloc(MAX_PAIRS * BATCH_SCRATCH_BYTES);
const DOUBLES: usize = heap.alloc(MAX_BITS * 128);
const WORK: usize = memory.data(128, 32);
const INVERSE: usize = memory.data(32, 32);

/**
 * Multiples of a fixed point for multiplication by windows.
 *
 * Row i, digit d (1 .. columns) holds d * 2^(i step) * base, affine in Montgomery form. With
 * columns = 2^step - 1 digits are unsigned, with columns = 2^(step - 1) they are signed.
 */
export class Table {
  @inline
  static at(table: usize, columns: usize, row: usize, digit: usize): usize {
    return table + ((row * columns + digit - 1) << 6);
  }

  /** Builds a table; `base` is affine in Montgomery form. */
  static build(table: usize, base: usize, rows: usize, step: usize, columns: usize): void {
    Table.placePowersOfTwo(table, base, rows, step, columns);
    for (let half: usize = 2; half < columns; half <<= 1) {
      // Computes digits half + 1 .. 2 half - 1 from the digit half and those below it.
      const count = min(half - 1, columns - half);
      const rowsAtOnce = MAX_PAIRS / count;
      for (let row: usize = 0; row < rows; row += rowsAtOnce) {
        Table.addToPowers(table, columns, row, min(rows, row + rowsAtOnce), half, count);
      }
    }
  }

  /** Computes digits half + 1 .. half + count of rows [from, to), with one inversion. */
  static addToPowers(
    table: usize,
    columns: usize,
    from: usize,
    to: usize,
    half: usize,
    count: usize,
  ): void {
    let scratch = SCRATCH;
    Batch.begin();
    for (let row = from; row < to; row++) {
      const high = Table.at(table, columns, row, half);
      for (let d: usize = 1; d <= count; d++) {
        Batch.prepare(high, Table.at(table, columns, row, d), scratch);
        scratch += BATCH_SCRATCH_BYTES;
      }
    }
    Batch.invert();
    for (let row = to; row > from; row--) {
      const high = Table.at(table, columns, row - 1, half);
      for (let d = count; d > 0; d--) {
        scratch -= BATCH_SCRATCH_BYTES;
        Batch.finish(high + (d << 6), high, Table.at(table, columns, row - 1, d), 0, scratch);
      }
    }
  }

  /** Doubles the base along all rows and stores each 2^i * base that is a digit of a row. */
  static placePowersOfTwo(
    table: usize,
    base: usize,
    rows: usize,
    step: usize,
    columns: usize,
  ): void {
    const bits = rows * step;
    Curve.fromAffine(WORK, base);
    Felt.copy(INVERSE, Felt.montOne());
    for (let i: usize = 0; i < bits; i++) {
      Curve.copy(DOUBLES + i * 128, WORK);
      Felt.copy(SCRATCH + i * 32, INVERSE);
      Felt.mulMont(INVERSE, INVERSE, WORK + 96);
      Curve.double(WORK);
    }
    Felt.invMont(INVERSE, INVERSE);
    for (let i = bits; i > 0; i--) {
      const point = DOUBLES + (i - 1) * 128;
      const digit = (<usize>1) << ((i - 1) % step);
      Felt.mulMont(WORK, INVERSE, SCRATCH + (i - 1) * 32);
      Felt.mulMont(INVERSE, INVERSE, point + 96);
      if (digit > columns) continue;
      const out = Table.at(table, columns, (i - 1) / step, digit);
      Felt.mulMont(out + 32, point + 32, WORK);
      Felt.mulMont(WORK, WORK, point + 64);
      Felt.sqrMont(WORK, WORK);
      Felt.mulMont(out, point, WORK);
    }
  }
}
