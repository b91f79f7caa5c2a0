import { BaseTables, GENERATOR_STEP } from "./base-tables";
import { Curve } from "./curve";
import { Felt } from "./felt";
import { SignedTable } from "./signed-table";

/**
 * Difference of consecutive points of a run. x is the first value from SHA-256("appchain RandomEcPoint") mod
 * P upwards that belongs to a point, y its smaller root. Its relation to other points is unknown.
 */
const POINT_STEP: usize = memory.data<u64>([
  0x4ac1adfd9d2883f9, 0x9be158a9579ee582, 0x474e020c47b85db3, 0x03928efdddd7eb92,
  0xad96681907717872, 0x538441d3888a8b84, 0xca07d2f5ea916de2, 0x02fbadf8090b3fbd,
]);

const BASE: usize = memory.data(64, 32);
const SUM: usize = memory.data(128, 32);
const DOUBLED: usize = memory.data(128, 32);

/** Multiples 0..15 of a base in working form. */
const MULTIPLES: usize = memory.data(2048, 32);

/**
 * External interface of the Stark curve: points are 64 bytes, canonical (x, y); scalars are canonical felts
 * or any other 256-bit integers. The neutral element is written as (0, 0).
 */
export class Ec {
  static isOnCurve(point: usize): bool {
    Curve.enter(BASE, point);
    return Curve.isOnCurve(BASE);
  }

  /** out = p + q; handles all cases. */
  static add(out: usize, p: usize, q: usize): void {
    Ec.load(SUM, p);
    Ec.load(DOUBLED, q);
    Curve.add(SUM, DOUBLED);
    Ec.store(out, SUM);
  }

  static mul(out: usize, point: usize, scalar: usize): void {
    Ec.load(DOUBLED, point);
    Ec.mulWorking(SUM, DOUBLED, scalar);
    Ec.store(out, SUM);
  }

  static mulGenerator(out: usize, scalar: usize): void {
    Ec.mulGeneratorWorking(SUM, scalar);
    Ec.store(out, SUM);
  }

  /** point = its successor in the sequence of the RandomEcPoint hint. */
  static nextPoint(point: usize): void {
    Ec.add(point, point, POINT_STEP);
  }

  /** out = scalar * point in working form, by windows of four bits; `out` must not be `point`. */
  static mulWorking(out: usize, point: usize, scalar: usize): void {
    Curve.setNeutral(MULTIPLES);
    Curve.copy(MULTIPLES + 128, point);
    for (let i: usize = 2; i < 16; i++) {
      Curve.copy(MULTIPLES + i * 128, MULTIPLES + (i - 1) * 128);
      Curve.add(MULTIPLES + i * 128, point);
    }
    Curve.setNeutral(out);
    for (let i: usize = 64; i > 0; i--) {
      if (!Curve.isNeutral(out)) {
        for (let k = 0; k < 4; k++) Curve.double(out);
      }
      const digit = Ec.nibble(scalar, i - 1);
      if (digit != 0) Curve.add(out, MULTIPLES + digit * 128);
    }
  }

  /** out = scalar * generator in working form, from the table. */
  static mulGeneratorWorking(out: usize, scalar: usize): void {
    const table = BaseTables.ofGenerator();
    const half = SignedTable.half(GENERATOR_STEP);
    const windows = SignedTable.windows(GENERATOR_STEP);
    let carry: usize = 0;
    Curve.setNeutral(out);
    for (let row: usize = 0; row <= windows; row++) {
      const raw = (row < windows ? SignedTable.window(scalar, GENERATOR_STEP, row) : 0) + carry;
      carry = usize(raw > half);
      const digit: usize = carry != 0 ? 2 * half - raw : raw;
      if (digit == 0) continue;
      memory.copy(BASE, SignedTable.at(table, GENERATOR_STEP, row, digit), 64);
      if (carry != 0) Curve.negate(BASE);
      Curve.addAffine(out, BASE);
    }
  }

  @inline
  static nibble(scalar: usize, index: usize): usize {
    return (load<u8>(scalar + (index >> 1)) >> (<u8>((index & 1) << 2))) & 15;
  }

  @inline
  static bit(scalar: usize, index: u32): bool {
    return ((load<u8>(scalar + (index >> 3)) >> (<u8>(index & 7))) & 1) != 0;
  }

  static bitLength(scalar: usize): u32 {
    for (let i: u32 = 32; i > 0; i -= 8) {
      const limb = load<u64>(scalar + i - 8);
      if (limb != 0) return i * 8 - <u32>clz(limb);
    }
    return 0;
  }

  /** Converts canonical affine, including (0, 0), to working form. */
  static load(out: usize, point: usize): void {
    if (Felt.isZero(point) && Felt.isZero(point + 32)) {
      Curve.setNeutral(out);
      return;
    }
    Curve.enter(BASE, point);
    Curve.fromAffine(out, BASE);
  }

  /** Converts working form to canonical affine. */
  static store(out: usize, point: usize): void {
    if (Curve.isNeutral(point)) {
      memory.fill(out, 0, 64);
      return;
    }
    Curve.toAffine(BASE, point);
    Curve.leave(out, BASE);
  }
}
