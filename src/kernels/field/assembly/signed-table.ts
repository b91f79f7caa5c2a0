import { Table } from "./table";

/** Number of scalar bits that a table covers. */
const SCALAR_BITS: usize = 256;

/**
 * Multiples of a point for signed windows of `step` bits (4 or 8) over a scalar of 256 bits.
 *
 * Row i, digit d (1 .. half, half = 2^(step - 1)) holds d 2^(i step) times the point, affine in Montgomery
 * form ({@link Table}); the row after the last window takes its carry. The points are followed by their
 * marks, the low 32 bits of each x, so that a search for a point touches few cache lines.
 */
export class SignedTable {
  /** Number of windows of a scalar; there is one more row. */
  @inline
  static windows(step: usize): usize {
    return SCALAR_BITS / step;
  }

  /** Largest digit, equal to the number of columns. */
  @inline
  static half(step: usize): usize {
    return (<usize>1) << (step - 1);
  }

  /** Size of a table in bytes. */
  static bytes(step: usize): usize {
    return SignedTable.points(step) * 68;
  }

  @inline
  private static points(step: usize): usize {
    return (SignedTable.windows(step) + 1) << (step - 1);
  }

  /** Builds a table; `base` is affine in Montgomery form. */
  static build(table: usize, base: usize, step: usize): void {
    Table.build(table, base, SignedTable.windows(step) + 1, step, SignedTable.half(step));
    const count = SignedTable.points(step);
    const marks = table + (count << 6);
    for (let i: usize = 0; i < count; i++) {
      store<u32>(marks + (i << 2), load<u32>(table + (i << 6)));
    }
  }

  @inline
  static at(table: usize, step: usize, row: usize, digit: usize): usize {
    return Table.at(table, SignedTable.half(step), row, digit);
  }

  /** Mark of the point {@link at} returns. */
  @inline
  static mark(table: usize, step: usize, row: usize, digit: usize): u32 {
    const marks = table + (SignedTable.points(step) << 6);
    return load<u32>(marks + (((row << (step - 1)) + digit - 1) << 2));
  }

  /** Unsigned bits of a window. */
  @inline
  static window(scalar: usize, step: usize, row: usize): usize {
    const bit = row * step;
    return ((<usize>load<u8>(scalar + (bit >> 3))) >> (bit & 7)) & (((<usize>1) << step) - 1);
  }
}
