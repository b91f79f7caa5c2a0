import { Felt } from "../../field/assembly/felt";
import { Wide } from "../../field/assembly/wide";
import { FastCells } from "./fast-cells";
import { KNOWN, REL, VALUE } from "./layout";

const A: usize = memory.data(32, 16);
const B: usize = memory.data(32, 16);

/** Fast handler of [target] = [a] * [b]. */
export class Products {
  /**
   * Multiplies two known integers and writes the product, or compares. Not generic: having two callers keeps
   * it a separate function, so that the loop needs fewer registers.
   *
   * @param top - one past the highest written cell
   * @returns the computed cell, 0 if the slow path must do it
   */
  static write(target: usize, a: usize, b: usize, top: usize): usize {
    const a3 = load<u64>(a, 24);
    const b3 = load<u64>(b, 24);
    if ((a3 & b3) >> 63 == 0 || ((a3 | b3) & REL) != 0) return 0;
    FastCells.mark<bool>(a, a3);
    FastCells.mark<bool>(b, b3);
    const a0 = load<u64>(a);
    const a1 = load<u64>(a, 8);
    const b0 = load<u64>(b);
    const b1 = load<u64>(b, 8);
    if ((load<u64>(a, 16) | load<u64>(b, 16) | ((a3 | b3) & VALUE)) == 0) {
      const r0 = Wide.mul(a0, b0);
      let r1 = Wide.mulAdd(Wide.hi, a0, b1);
      let r2 = Wide.hi;
      r1 = Wide.mulAdd(r1, a1, b0);
      r2 = Wide.mac(r2, a1, b1, Wide.hi);
      const r3 = Wide.hi;
      // Values below 2^251 need no reduction.
      if (r3 >> 59 == 0) return FastCells.settle(target, top, r0, r1, r2, r3 | KNOWN);
    }
    Felt.set(A, a0, a1, load<u64>(a, 16), a3 & VALUE);
    Felt.set(B, b0, b1, load<u64>(b, 16), b3 & VALUE);
    Felt.mul(A, A, B);
    const r3 = load<u64>(A, 24) | KNOWN;
    return FastCells.settle(target, top, load<u64>(A), load<u64>(A, 8), load<u64>(A, 16), r3);
  }
}
