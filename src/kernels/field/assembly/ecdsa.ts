import { Curve } from "./curve";
import { Ec } from "./ec";
import { Felt } from "./felt";
import { Scalar } from "./scalar";

const INVERSE: usize = memory.data(32, 32);
const FACTOR: usize = memory.data(32, 32);
const KEY: usize = memory.data(64, 32);
const FIRST: usize = memory.data(128, 32);
const SECOND: usize = memory.data(128, 32);
const SUM: usize = memory.data(128, 32);

/**
 * ECDSA on the Stark curve with the bounds of StarkEx: the hash, r and 1/s mod N are below 2^251. Keys are x
 * coordinates, so either y is accepted.
 */
export class Ecdsa {
  /** Whether (r, s) signs `hash` under the key with this x; all four are canonical. */
  static verify(keyX: usize, hash: usize, r: usize, s: usize): bool {
    if (!Ecdsa.isShort(hash) || !Ecdsa.isShort(r) || Felt.isZero(r)) return false;
    if (Felt.isZero(s) || Felt.cmp(s, Scalar.order()) >= 0) return false;
    Scalar.inv(INVERSE, s);
    if (!Ecdsa.isShort(INVERSE)) return false;
    Felt.toMont(KEY, keyX);
    Curve.rightSide(KEY + 32, KEY);
    Felt.fromMont(KEY + 32, KEY + 32);
    if (!Felt.sqrt(KEY + 32, KEY + 32)) return false;
    Felt.toMont(KEY + 32, KEY + 32);

    Scalar.mul(FACTOR, hash, INVERSE);
    Ec.mulGeneratorWorking(FIRST, FACTOR);
    Scalar.mul(FACTOR, r, INVERSE);
    Curve.fromAffine(SUM, KEY);
    Ec.mulWorking(SECOND, SUM, FACTOR);
    Felt.toMont(FACTOR, r);
    Curve.copy(SUM, FIRST);
    Curve.add(SUM, SECOND);
    if (Ecdsa.hasX(SUM, FACTOR)) return true;
    Curve.negate(SECOND);
    Curve.add(FIRST, SECOND);
    return Ecdsa.hasX(FIRST, FACTOR);
  }

  /** Whether a value is below 2^251. */
  @inline
  static isShort(value: usize): bool {
    return load<u64>(value, 24) < 0x0800000000000000;
  }

  /** Whether a point in working form has the affine coordinate `x`, in Montgomery form. */
  static hasX(point: usize, x: usize): bool {
    if (Curve.isNeutral(point)) return false;
    Felt.mulMont(INVERSE, x, point + 64);
    return Felt.eq(INVERSE, point);
  }
}
