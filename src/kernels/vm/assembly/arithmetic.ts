import { Cause } from "./abi.generated";
import { Felt } from "../../field/assembly/felt";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { KNOWN, REL, VALUE } from "./layout";

const LEFT: usize = memory.data(32, 16);
const RIGHT: usize = memory.data(32, 16);

/**
 * Arithmetic of known cells, integers or addresses. Results are written to `out` (which may be an operand) as
 * known cells. Functions return `false` with a recorded failure if the operation has no result.
 */
export class Arithmetic {
  static add(out: usize, a: usize, b: usize): bool {
    const left = Cells.isAddress(a);
    const right = Cells.isAddress(b);
    if (left) {
      if (right) return Failure.cells(Cause.ADD_ADDRESSES, a, b);
      return Arithmetic.advance(out, a, b);
    }
    if (right) return Arithmetic.advance(out, b, a);
    Cells.value(LEFT, a);
    Cells.value(RIGHT, b);
    Felt.add(out, LEFT, RIGHT);
    Cells.flag(out);
    return true;
  }

  /** Adds integer `b` to address `a`: the sum in the field must be below 2^64. */
  static advance(out: usize, a: usize, b: usize): bool {
    const segment = load<u64>(a, 8);
    Felt.setU64(LEFT, load<u64>(a));
    Cells.value(RIGHT, b);
    Felt.add(LEFT, LEFT, RIGHT);
    if (!Cells.isU64(LEFT)) return Failure.cells(Cause.ADD_EXCEEDED, a, b);
    Cells.setAddress(out, segment, load<u64>(LEFT));
    return true;
  }

  static sub(out: usize, a: usize, b: usize): bool {
    const left = Cells.isAddress(a);
    const right = Cells.isAddress(b);
    if (!left) {
      if (right) return Failure.cells(Cause.SUB_FROM_INTEGER, a, b);
      Cells.value(LEFT, a);
      Cells.value(RIGHT, b);
      Felt.sub(out, LEFT, RIGHT);
      Cells.flag(out);
      return true;
    }
    Felt.setU64(LEFT, load<u64>(a));
    if (right) {
      if (load<u64>(a, 8) != load<u64>(b, 8)) return Failure.cells(Cause.SUB_SEGMENTS, a, b);
      Felt.setU64(RIGHT, load<u64>(b));
      Felt.sub(out, LEFT, RIGHT);
      Cells.flag(out);
      return true;
    }
    const segment = load<u64>(a, 8);
    Cells.value(RIGHT, b);
    Felt.sub(LEFT, LEFT, RIGHT);
    if (!Cells.isU64(LEFT)) return Failure.cells(Cause.SUB_NEGATIVE, a, b);
    Cells.setAddress(out, segment, load<u64>(LEFT));
    return true;
  }

  static mul(out: usize, a: usize, b: usize): bool {
    if (((load<u64>(a, 24) | load<u64>(b, 24)) & REL) != 0) {
      return Failure.cells(Cause.MUL_ADDRESS, a, b);
    }
    Cells.value(LEFT, a);
    Cells.value(RIGHT, b);
    Felt.mul(out, LEFT, RIGHT);
    Cells.flag(out);
    return true;
  }

  /** a / b of integers, `b` not zero. */
  static div(out: usize, a: usize, b: usize): void {
    Cells.value(LEFT, b);
    Felt.inv(RIGHT, LEFT);
    Cells.value(LEFT, a);
    Felt.mul(out, LEFT, RIGHT);
    Cells.flag(out);
  }

  @inline
  static isZero(a: usize): bool {
    return (
      (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | (load<u64>(a, 24) & VALUE)) == 0 &&
      !Cells.isAddress(a)
    );
  }

  /** Order of known cells in hints: addresses before integers. -1, 0 or 1. */
  static compare(a: usize, b: usize): i32 {
    const left = Cells.isAddress(a);
    const right = Cells.isAddress(b);
    if (left != right) return left ? -1 : 1;
    if (left) {
      const s = load<u64>(a, 8);
      const t = load<u64>(b, 8);
      if (s != t) return s < t ? -1 : 1;
      const x = load<u64>(a);
      const y = load<u64>(b);
      return x == y ? 0 : x < y ? -1 : 1;
    }
    Cells.value(LEFT, a);
    Cells.value(RIGHT, b);
    return Felt.cmp(LEFT, RIGHT);
  }
}

/** A cell that holds the integer zero. */
export const ZERO: usize = memory.data<u64>([0, 0, 0, KNOWN]);
