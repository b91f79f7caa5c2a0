import { EcStatus } from "./abi.generated";
import { BaseTables } from "./base-tables";
import { Curve } from "./curve";
import { Ec } from "./ec";
import { Felt } from "./felt";

/** The sums before each window, in working form, and by what ZZ grows in each window. */
const SUMS: usize = memory.data(8320, 32);
const FACTORS: usize = memory.data(2048, 32);

/** Temporaries; none holds a value across calls. */
const A: usize = memory.data(32, 32);
const B: usize = memory.data(32, 32);
const C: usize = memory.data(32, 32);
const E: usize = memory.data(32, 32);
const INVERSE: usize = memory.data(32, 32);
const X: usize = memory.data(32, 32);

/**
 * ec_op by windows of four bits over a table of Q: 63 additions, no doubling.
 *
 * With i = 4 j + t and u the bits of m from 4 j up to i, the sum before step i in the words of
 * {@link EcOp} is S_i = S_4j + u D_4j, and D_i = 2^t D_4j. Step i fails exactly when S_4j = k D_4j
 * with k = 2^t - u or k = -2^t - u. These k are not 0, between -15 and 8: x of their multiples is in
 * row j of the table. So the sums at the windows' borders are kept, brought to Z = 1 by one common
 * inversion, and looked for among the (at most eight) multiples of each window.
 */
export class WindowLadder {
  /** For points on the curve; arguments and result as of `EcOp.run`, with Q's table in its place. */
  static run(out: usize, p: usize, table: usize, m: usize): u32 {
    Ec.load(SUMS, p);
    const bitCount = <usize>Ec.bitLength(m);
    const rows = (bitCount + 3) >> 2;
    for (let row: usize = 0; row < rows; row++) {
      const digit = Ec.nibble(m, row);
      const sum = SUMS + (row << 7);
      if (digit == 0) {
        memory.copy(sum + 128, sum, 128);
        Felt.copy(FACTORS + (row << 5), Felt.montOne());
        continue;
      }
      // A neutral sum comes of S_4j = -digit D_4j, that is S_i = -D_i for the highest bit of digit.
      const at = BaseTables.at(table, row, digit);
      if (!WindowLadder.add(sum + 128, sum, at, FACTORS + (row << 5))) return EcStatus.SAME_X;
    }
    const last = SUMS + (rows << 7);
    Felt.invMont(INVERSE, last + 96); // 1 / ZZZ
    Felt.mulMont(B, INVERSE, last + 64);
    Felt.mulMont(C, last + 32, INVERSE); // y
    Felt.sqrMont(INVERSE, B); // 1 / ZZ
    Felt.mulMont(B, last, INVERSE); // x
    for (let row = rows; row > 0; row--) {
      Felt.mulMont(INVERSE, INVERSE, FACTORS + ((row - 1) << 5));
      const sum = SUMS + ((row - 1) << 7);
      Felt.mulMont(X, sum, INVERSE);
      const steps = min<usize>(4, bitCount - ((row - 1) << 2));
      if (WindowLadder.meets(sum, table, row - 1, Ec.nibble(m, row - 1), steps)) {
        return EcStatus.SAME_X;
      }
    }
    Felt.fromMont(out, B);
    Felt.fromMont(out + 32, C);
    return EcStatus.OK;
  }

  /** Whether the sum, x of which is X, makes one of the first `steps` steps of a row fail. */
  private static meets(sum: usize, table: usize, row: usize, digit: usize, steps: usize): bool {
    for (let t: usize = 0; t < steps; t++) {
      const power = (<usize>1) << t;
      const u = digit & (power - 1);
      if (WindowLadder.isMultiple(sum, BaseTables.at(table, row, power - u), false)) return true;
      if (WindowLadder.isMultiple(sum, BaseTables.at(table, row, power + u), true)) return true;
    }
    return false;
  }

  /** Whether the sum, x of which is X, is the affine point, or its negative. */
  @inline
  private static isMultiple(sum: usize, point: usize, isNegative: bool): bool {
    if (!Felt.eq(X, point)) return false;
    Felt.mulMont(A, point + 32, sum + 96);
    return Felt.eq(A, sum + 32) != isNegative;
  }

  /**
   * out = p + q with q affine, and `factor` = ZZ of out over ZZ of p.
   *
   * @returns false, without a result, when the sum is neutral
   */
  @inline
  private static add(out: usize, p: usize, q: usize, factor: usize): bool {
    Felt.mulMont(A, q, p + 64);
    Felt.sub(A, A, p);
    Felt.mulMont(B, q + 32, p + 96);
    Felt.sub(B, B, p + 32);
    if (Felt.isZero(A)) {
      if (!Felt.isZero(B)) return false;
      memory.copy(out, p, 128);
      Curve.double(out);
      Felt.add(factor, p + 32, p + 32);
      Felt.sqrMont(factor, factor);
      return true;
    }
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
