import { EcStatus } from "./abi.generated";
import { BaseTables, GENERATOR_STEP, POINT_STEP } from "./base-tables";
import { Ec } from "./ec";
import { SignedLadder } from "./signed-ladder";
import { WindowLadder } from "./window-ladder";

/**
 * The ec_op builtin: P + m Q by the additions of its AIR.
 *
 * Each step, from the lowest bit of m up to the highest set bit (zero bits included), requires that the
 * partial sum and the doubled point differ in x. Let n be the bit length of m, S_i = P + (m mod 2^i) Q the
 * sum before step i, and D_i = 2^i Q. The operation fails exactly when S_i = D_i or S_i = -D_i for an i < n.
 * {@link SignedLadder} computes the same sum with fewer additions and detects the same failures. {@link
 * WindowLadder}, which uses a table of Q, falls back to it on a possible failure.
 */
export class EcOp {
  /**
   * `out` is written only for status 0; points are canonical affine, m is any 256-bit integer.
   *
   * @returns a value of EcStatus
   */
  static run(out: usize, p: usize, q: usize, m: usize): u32 {
    if (!Ec.isOnCurve(p)) return EcStatus.FIRST_NOT_ON_CURVE;
    if (BaseTables.isGenerator(q)) {
      const table = BaseTables.ofGenerator();
      if (WindowLadder.run(out, p, table, GENERATOR_STEP, m)) return EcStatus.OK;
      return SignedLadder.run(out, p, q, m);
    }
    let table = BaseTables.find(q);
    if (table == 0) {
      if (!Ec.isOnCurve(q)) return EcStatus.SECOND_NOT_ON_CURVE;
      table = BaseTables.note(q);
    }
    if (table != 0 && WindowLadder.run(out, p, table, POINT_STEP, m)) return EcStatus.OK;
    return SignedLadder.run(out, p, q, m);
  }
}
