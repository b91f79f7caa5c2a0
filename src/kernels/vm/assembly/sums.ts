import { FastCells } from "./fast-cells";
import { KNOWN, REL, VALUE } from "./layout";

/** Top limb of the prime. */
const P3: u64 = 0x0800000000000011;

/** Fast handler of [target] = [a] + [b]. */
export class Sums {
  /**
   * Computes the unknown one of the three cells, or compares.
   *
   * @param top - one past the highest written cell
   * @returns the computed cell, 0 if the slow path must do it
   */
  @inline
  static deduce<M>(target: usize, a: usize, b: usize, top: usize): usize {
    let v0: u64 = 0;
    let v1: u64 = 0;
    let v2: u64 = 0;
    let v3: u64 = 0;
    const a3 = load<u64>(a, 24);
    let b3 = load<u64>(b, 24);
    if ((a3 & b3) >> 63 != 0) {
      FastCells.mark<M>(a, a3);
      FastCells.mark<M>(b, b3);
      if ((a3 & REL) != 0) {
        // address + small number
        if (((b3 & (REL | VALUE)) | load<u64>(b, 8) | load<u64>(b, 16)) != 0) return 0;
        const low = load<u64>(a);
        v0 = low + load<u64>(b);
        if (v0 < low) return 0;
        v1 = load<u64>(a, 8);
        v3 = KNOWN | REL;
      } else {
        if ((b3 & REL) != 0) return 0;
        const a0 = load<u64>(a);
        const a1 = load<u64>(a, 8);
        const a2 = load<u64>(a, 16);
        const b1 = load<u64>(b, 8);
        const b2 = load<u64>(b, 16);
        v0 = a0 + load<u64>(b);
        let carry = u64(v0 < a0);
        // Most sums are of small numbers: the next instruction then does not wait for four limbs.
        if ((a1 | a2 | b1 | b2 | ((a3 | b3) & VALUE)) == 0) {
          return FastCells.settle(target, top, v0, carry, 0, KNOWN);
        }
        v1 = a1 + b1;
        let next = u64(v1 < a1);
        v1 += carry;
        carry = next | u64(v1 < carry);
        v2 = a2 + b2;
        next = u64(v2 < a2);
        v2 += carry;
        carry = next | u64(v2 < carry);
        const high = (a3 & VALUE) | (b3 & VALUE);
        if (high == 0) {
          v3 = carry | KNOWN;
        } else {
          v3 = (a3 & VALUE) + (b3 & VALUE) + carry;
          // At least P: the top limb is above P's, or equal with a non-zero limb below. Branchless, because
          // random values make the outcome unpredictable.
          const over = u64(v3 > P3) | (u64(v3 == P3) & u64((v0 | v1 | v2) != 0));
          carry = over & u64(v0 == 0);
          v0 -= over;
          next = carry & u64(v1 == 0);
          v1 -= carry;
          carry = next & u64(v2 == 0);
          v2 -= next;
          v3 = (v3 - ((0 - over) & P3) - carry) | KNOWN;
        }
      }
      return FastCells.settle(target, top, v0, v1, v2, v3);
    }
    // The unknown operand is dst minus the other one.
    const d3 = load<u64>(target, 24);
    if (((a3 | b3) & d3) >> 63 == 0) return 0;
    let unknown = a;
    if (a3 >> 63 != 0) {
      unknown = b;
      b = a;
      b3 = a3;
    }
    FastCells.mark<M>(b, b3);
    FastCells.mark<M>(target, d3);
    if ((d3 & REL) != 0) {
      const high = load<u64>(target);
      const low = load<u64>(b);
      if (high < low) return 0;
      v0 = high - low;
      if ((b3 & REL) != 0) {
        if (load<u64>(target, 8) != load<u64>(b, 8)) return 0;
        v3 = KNOWN;
      } else {
        if (((b3 & VALUE) | load<u64>(b, 8) | load<u64>(b, 16)) != 0) return 0;
        v1 = load<u64>(target, 8);
        v3 = KNOWN | REL;
      }
      return FastCells.settle(unknown, top, v0, v1, v2, v3);
    }
    if ((b3 & REL) != 0) return 0;
    const d0 = load<u64>(target);
    const d1 = load<u64>(target, 8);
    const d2 = load<u64>(target, 16);
    const b0 = load<u64>(b);
    const b1 = load<u64>(b, 8);
    const b2 = load<u64>(b, 16);
    v0 = d0 - b0;
    let borrow = u64(d0 < b0);
    if ((borrow | d1 | d2 | b1 | b2 | ((d3 | b3) & VALUE)) == 0) {
      return FastCells.settle(unknown, top, v0, 0, 0, KNOWN);
    }
    v1 = d1 - b1;
    const next = u64(d1 < b1) | u64(v1 < borrow);
    v1 -= borrow;
    v2 = d2 - b2;
    borrow = u64(d2 < b2) | u64(v2 < next);
    v2 -= next;
    v3 = (d3 & VALUE) - (b3 & VALUE) - borrow;
    if (i64(v3) < 0) {
      v0 += 1;
      borrow = u64(v0 == 0);
      v1 += borrow;
      borrow &= u64(v1 == 0);
      v2 += borrow;
      borrow &= u64(v2 == 0);
      v3 += P3 + borrow;
    }
    return FastCells.settle(unknown, top, v0, v1, v2, v3 | KNOWN);
  }
}
