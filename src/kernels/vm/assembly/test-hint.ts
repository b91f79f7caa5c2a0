import { Form, Hint, Operand } from "./abi.generated";
import { F } from "./frame";
import { CONTENT, KNOWN, REL } from "./layout";

/** Offsets of a test hint's words in a list of one hint: two operands, the result's cell. */
const FIRST: usize = 8;
const SECOND: usize = FIRST + Operand.BYTES;
const RESULT: usize = SECOND + Operand.BYTES;

/** Fast handler of a slot whose only hint compares two cells or constants. */
export class TestHint {
  /**
   * Compares integers and writes the result to its cell.
   *
   * @param words - list of one hint: count, hint, the two operands, the cell of the result
   * @returns that cell, 0 if it is already written or an operand is not an integer
   */
  @inline
  static execute(words: usize, ap: usize, fp: usize): usize {
    const form = load<u32>(words, FIRST);
    const otherForm = load<u32>(words, SECOND);
    let a =
      select<usize>(fp, ap, (form & Operand.FIRST_FP) != 0) + (load<i32>(words, FIRST + 4) << 5);
    if (form == Form.CONSTANT) a = usize(load<u32>(words, FIRST + 8));
    let b =
      select<usize>(fp, ap, (otherForm & Operand.FIRST_FP) != 0) +
      (load<i32>(words, SECOND + 4) << 5);
    if (otherForm == Form.CONSTANT) b = usize(load<u32>(words, SECOND + 8));
    const cell = load<i32>(words, RESULT);
    const target = select<usize>(fp, ap, (cell & Operand.CELL_FP) != 0) + ((cell >> 1) << 5);
    const a3 = load<u64>(a, 24) & CONTENT;
    const b3 = load<u64>(b, 24) & CONTENT;
    if ((((a3 & b3) ^ KNOWN) | ((a3 | b3) & REL)) >> 62 != 0) return 0;
    if (load<u64>(target, 24) >> 63 != 0 || target < F.denseStart) return 0;
    // Borrow of a - b, or of a - b - 1 for "or equal".
    const orEqual = u64(load<u32>(words, 4) == Hint.TEST_LESS_THAN_OR_EQUAL);
    const a0 = load<u64>(a);
    const a1 = load<u64>(a, 8);
    const a2 = load<u64>(a, 16);
    const b0 = load<u64>(b);
    const b1 = load<u64>(b, 8);
    const b2 = load<u64>(b, 16);
    let less = u64(a0 < b0) | (u64(a0 == b0) & orEqual);
    if ((a1 | a2 | b1 | b2 | ((a3 | b3) ^ KNOWN)) != 0) {
      less = u64(a1 < b1) | (u64(a1 == b1) & less);
      less = u64(a2 < b2) | (u64(a2 == b2) & less);
      less = u64(a3 < b3) | (u64(a3 == b3) & less);
    }
    store<u64>(target, less);
    store<u64>(target, 0, 8);
    store<u64>(target, 0, 16);
    store<u64>(target, KNOWN, 24);
    return target;
  }
}
