import { EcStatus } from "./abi.generated";
import { BaseTables, GENERATOR_STEP, POINT_STEP } from "./base-tables";
import { Ec } from "./ec";
import { SignedLadder } from "./signed-ladder";
import { WindowLadder } from "./window-ladder";

/**
 * The ec_op builtin: P + m Q by the additions that its AIR makes.
 *
 * From the lowest bit of m on, in every step up to the highest set bit, also for a zero bit, the
 * partial sum and the doubled point must differ in x. With n the bit length of m, S_i = P +
 * (m mod 2^i) Q the sum before step i and D_i = 2^i Q: the operation fails exactly when S_i = D_i
 * or S_i = -D_i for an i < n. {@link SignedLadder} finds the same sum by fewer additions and decides
 * the same failures; {@link WindowLadder}, over a table of Q, leaves to it what may be a failure.
 */
export class EcOp {
  /**
   * `out` is written only for status 0; points are canonical affine, m is any 256-bit integer.
   *
   * @returns a status of EcStatus
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
