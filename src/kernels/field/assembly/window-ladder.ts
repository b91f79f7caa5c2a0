import { Batch } from "./batch";
import { Ec } from "./ec";
import { Felt } from "./felt";
import { SignedTable } from "./signed-table";

/** Sums before each window and after the last, in working form. */
const SUMS: usize = memory.data(8448, 32);

/** Factor of ZZ in each addition. */
const FACTORS: usize = memory.data(2080, 32);

/** Carry into each window. */
const CARRIES: usize = memory.data(66, 8);

/** Keeps the compiler from dropping the prefetching reads of {@link WindowLadder.run}. */
let touched: u64 = 0;

/** Temporaries; their values do not survive a call. */
const A: usize = memory.data(32, 32);
const B: usize = memory.data(32, 32);
const C: usize = memory.data(32, 32);
const E: usize = memory.data(32, 32);
const INVERSE: usize = memory.data(32, 32);
const X: usize = memory.data(32, 32);

/**
 * ec_op by signed windows over a table of Q: one addition per window, no doubling.
 *
 * With w the bits of a window, h = 2^(w - 1), and c_j the carry into window j, the sum before it is T_j =
 * S_wj - c_j D_wj in the notation of {@link EcOp}; digits are between -h + 1 and h. With i = w j + t and u
 * the bits of m from w j up to i, step i fails exactly when S_i = D_i or -D_i, that is T_j = k D_wj for k =
 * 2^t - u - c_j or k = -2^t - u - c_j. Then one of these is true:
 *
 * - k = 0: T_j is neutral, so the addition that produced it had points of equal x;
 * - |k| <= h: x of T_j is in row j of the table;
 * - k < -h, which needs t = w - 1: with bit i zero the digit is u + c_j and T_(j + 1) = -h D_wj; with bit i
 *   set it is h (k = -h, T_(j + 1) neutral) or h + u + c_j - 2 h, and T_(j + 1) = -D_w(j + 1). The x of the
 *   latter is in row j + 1, or the carry's addition finds it if that is the last row.
 *
 * So one common inversion scales the sums to Z = 1, and the marks of their x are searched among the
 * candidates. A match, or an addition with equal x, leaves the decision to the caller. It practically never
 * happens unless the points were chosen for it.
 */
export class WindowLadder {
  /**
   * Arguments and `out` as for `EcOp.run`, with the table of Q instead of Q; points must be on the curve.
   *
   * @returns `false`, without a result, if the operation may fail
   */
  static run(out: usize, p: usize, table: usize, step: usize, m: usize): bool {
    WindowLadder.touch(table, step, m);
    Ec.load(SUMS, p);
    const half = SignedTable.half(step);
    const bitCount = <usize>Ec.bitLength(m);
    const rows = (bitCount + step - 1) / step;
    let carry: usize = 0;
    for (let row: usize = 0; row < rows; row++) {
      store<u8>(CARRIES + row, <u8>carry);
      const raw = SignedTable.window(m, step, row) + carry;
      carry = usize(raw > half);
      const digit: usize = carry != 0 ? 2 * half - raw : raw;
      if (!WindowLadder.addDigit(table, step, row, digit, carry)) return false;
    }
    if (carry != 0 && !WindowLadder.addDigit(table, step, rows, 1, 0)) return false;
    const sums = rows + carry;
    const last = SUMS + (sums << 7);
    Felt.invMont(INVERSE, last + 96); // 1 / ZZZ
    Felt.mulMont(B, INVERSE, last + 64);
    Felt.mulMont(C, last + 32, INVERSE); // y
    Felt.sqrMont(INVERSE, B); // 1 / ZZ
    Felt.mulMont(B, last, INVERSE); // x
    Felt.copy(X, B);
    for (let row = sums; row > 0; row--) {
      // Checks the sum after window row - 1, which is the sum before window row.
      if (load<u32>(X) == SignedTable.mark(table, step, row - 1, half)) return false;
      Felt.mulMont(INVERSE, INVERSE, FACTORS + ((row - 1) << 5));
      Felt.mulMont(X, SUMS + ((row - 1) << 7), INVERSE);
      if (row <= rows && WindowLadder.meets(table, step, row - 1, m)) return false;
    }
    Felt.fromMont(out, B);
    Felt.fromMont(out + 32, C);
    return true;
  }

  /**
   * Prefetches each line of memory that the sums will read: tables mostly exceed the processor's caches, and
   * independent reads overlap.
   */
  private static touch(table: usize, step: usize, m: usize): void {
    let sum: u64 = 0;
    const half = SignedTable.half(step);
    const windows = SignedTable.windows(step);
    let carry: usize = 0;
    for (let row: usize = 0; row < windows; row++) {
      const raw = SignedTable.window(m, step, row) + carry;
      carry = usize(raw > half);
      const digit: usize = carry != 0 ? 2 * half - raw : raw;
      sum ^= load<u64>(SignedTable.at(table, step, row, digit));
      sum ^= SignedTable.mark(table, step, row, 1);
    }
    touched = sum;
  }

  /** Whether the mark of X, the x of the sum before a window, is one for which the window fails. */
  @inline
  private static meets(table: usize, step: usize, row: usize, m: usize): bool {
    const mark = load<u32>(X);
    const window = SignedTable.window(m, step, row);
    const carry = <usize>load<u8>(CARRIES + row);
    if (mark == SignedTable.mark(table, step, row, 1)) return true;
    for (let t: usize = 0; t < step; t++) {
      const power = (<usize>1) << t;
      const u = (window & (power - 1)) + carry;
      if (u < power && mark == SignedTable.mark(table, step, row, power - u)) return true;
      if (t + 1 < step && mark == SignedTable.mark(table, step, row, power + u)) return true;
    }
    return false;
  }

  /**
   * Computes the sum after a row from the sum before it.
   *
   * @param isMinus - 1 to subtract the digit's multiple
   * @returns `false`, without a sum, if the points have equal x
   */
  @inline
  private static addDigit(
    table: usize,
    step: usize,
    row: usize,
    digit: usize,
    isMinus: usize,
  ): bool {
    const p = SUMS + (row << 7);
    const out = p + 128;
    const factor = FACTORS + (row << 5);
    if (digit == 0) {
      memory.copy(out, p, 128);
      Felt.copy(factor, Felt.montOne());
      return true;
    }
    const q = SignedTable.at(table, step, row, digit);
    Felt.mulMont(A, q, p + 64);
    Felt.sub(A, A, p);
    if (Felt.isZero(A)) return false;
    Felt.mulMont(B, q + 32, p + 96);
    Batch.subSigned(B, B, p + 32, 0 - <u64>isMinus);
    Felt.sqrMont(factor, A);
    Felt.mulMont(A, A, factor);
    Felt.mulMont(E, p, factor);
    Felt.mulMont(out + 64, p + 64, factor);
    Felt.mulMont(out + 96, p + 96, A);
    Felt.mulMont(C, p + 32, A);
    Felt.sqrMont(out, B);
    Felt.subTwo(out, out, A, E);
    Felt.sub(out, out, E);
    Felt.sub(E, E, out);
    Felt.mulMont(E, E, B);
    Felt.sub(out + 32, E, C);
    return true;
  }
}
