import { Power } from "./power";
import { POINT_BYTES, ShortCurve } from "./short-curve";

/** Multiples 1, 3, .. 15 of each of two points. */
const MULTIPLES: usize = memory.data(1536, 32);
const ROW_COUNT: usize = 8;
const ROW_BYTES: usize = 768;

/** Digits of two factors, lowest first: 0, or odd, signed and of at most {@link WINDOW} bits. */
const DIGITS: usize = memory.data(544, 32);
const DIGITS_BYTES: usize = 272;
const WINDOW: u64 = 5;

const SUM: usize = memory.data(96, 32);
const OTHER: usize = memory.data(96, 32);
const ZERO: usize = memory.data(32, 32);

/** Multiples of points of the curve set by {@link ShortCurve.begin}. */
export class ShortLadder {
  /**
   * out = s p + t q for 256-bit integers. Both factors share the doublings, whose number is the bit length of
   * the longer one.
   *
   * Source: Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography", algorithms 3.35 (digits)
   * and 3.51 (interleaving).
   */
  static multiplyPair(out: usize, p: usize, s: usize, q: usize, t: usize): void {
    const countOfFirst = ShortLadder.begin(0, p, s);
    const countOfSecond = ShortLadder.begin(1, q, t);
    memory.fill(SUM, 0, POINT_BYTES);
    for (let i = max(countOfFirst, countOfSecond); i > 0; i--) {
      ShortCurve.double(SUM);
      if (i <= countOfFirst) ShortLadder.addDigit(0, i - 1);
      if (i <= countOfSecond) ShortLadder.addDigit(1, i - 1);
    }
    ShortCurve.leave(out, SUM);
  }

  /** Computes digits and multiples of one term. @returns the number of its digits, 0 for the factor 0 */
  private static begin(which: usize, point: usize, factor: usize): usize {
    const count = ShortLadder.recode(DIGITS + which * DIGITS_BYTES, factor);
    if (count == 0) return 0;
    const row = MULTIPLES + which * ROW_BYTES;
    ShortCurve.enter(row, point);
    memory.copy(OTHER, row, POINT_BYTES);
    ShortCurve.double(OTHER);
    for (let i: usize = 1; i < ROW_COUNT; i++) {
      const multiple = row + i * POINT_BYTES;
      memory.copy(multiple, multiple - POINT_BYTES, POINT_BYTES);
      ShortCurve.addTo(multiple, OTHER);
    }
    return count;
  }

  /** SUM = SUM + the digit's multiple of its point. */
  private static addDigit(which: usize, at: usize): void {
    const digit = i32(load<i8>(DIGITS + which * DIGITS_BYTES + at));
    if (digit == 0) return;
    const multiple = MULTIPLES + which * ROW_BYTES + usize((abs(digit) - 1) >> 1) * POINT_BYTES;
    if (digit > 0) {
      ShortCurve.addTo(SUM, multiple);
      return;
    }
    memory.copy(OTHER, multiple, POINT_BYTES);
    Power.sub(OTHER + 32, ZERO, multiple + 32);
    ShortCurve.addTo(SUM, OTHER);
  }

  /**
   * Writes the digits of an integer; at least four zeros follow each non-zero digit. @returns their number
   */
  private static recode(digits: usize, integer: usize): usize {
    let n0 = load<u64>(integer);
    let n1 = load<u64>(integer, 8);
    let n2 = load<u64>(integer, 16);
    let n3 = load<u64>(integer, 24);
    let n4: u64 = 0;
    let count: usize = 0;
    for (; (n0 | n1 | n2 | n3 | n4) != 0; count++) {
      let digit: i64 = 0;
      if ((n0 & 1) != 0) {
        digit = i64(n0 & ((1 << WINDOW) - 1));
        if (digit >> (WINDOW - 1) == 0) {
          n0 -= u64(digit);
        } else {
          digit -= 1 << WINDOW;
          n0 += u64(-digit);
          // Propagate the addition through all carries.
          const carry1 = u64(n0 < u64(-digit));
          n1 += carry1;
          const carry2 = u64(n1 < carry1);
          n2 += carry2;
          const carry3 = u64(n2 < carry2);
          n3 += carry3;
          n4 = u64(n3 < carry3);
        }
      }
      store<i8>(digits + count, i8(digit));
      n0 = (n0 >> 1) | (n1 << 63);
      n1 = (n1 >> 1) | (n2 << 63);
      n2 = (n2 >> 1) | (n3 << 63);
      n3 = (n3 >> 1) | (n4 << 63);
      n4 = 0;
    }
    return count;
  }
}
