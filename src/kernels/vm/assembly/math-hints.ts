import { Cause, Operand } from "./abi.generated";
import { Ec } from "../../field/assembly/ec";
import { Felt } from "../../field/assembly/felt";
import { Wide } from "../../field/assembly/wide";
import { Big } from "./big";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { F, pointOfFrame } from "./frame";
import { Operands } from "./operands";
import { pointScalar } from "./host";

const A: usize = memory.data(32, 16);
const B: usize = memory.data(32, 16);
const C: usize = memory.data(32, 16);
const D: usize = memory.data(32, 16);
const SCALAR: usize = memory.data(32, 16);
const POINT: usize = memory.data(64, 16);
const Q: usize = memory.data(32, 16);
const R: usize = memory.data(32, 16);

const THREE: usize = memory.data<u64>([3, 0, 0, 0]);

/** ceil((P / 3) / 2^128) and ceil((P / 2) / 2^128). */
const THIRD: usize = memory.data<u64>([0x5555555555555556, 0x02aaaaaaaaaaaab0, 0, 0]);
const HALF: usize = memory.data<u64>([0x8000000000000001, 0x0400000000000008, 0, 0]);

/**
 * Executes the hints that compute numbers, such as quotients, roots and random curve points; each returns
 * `false` after a recorded failure.
 */
export class MathHints {
  /**
   * WideMul128 hint: writes the high and the low half of the product of two 128-bit integers.
   *
   * @returns `false` after a recorded failure
   */
  static wideMul128(): bool {
    if (!Operands.felt(A) || !Operands.felt(B)) return false;
    if (!Big.isU128(A) || !Big.isU128(B)) return Failure.plain(Cause.HINT_OPERAND);
    const a0 = load<u64>(A);
    const a1 = load<u64>(A, 8);
    const b0 = load<u64>(B);
    const b1 = load<u64>(B, 8);
    const r0 = Wide.mul(a0, b0);
    let r1 = Wide.mulAdd(Wide.hi, a0, b1);
    let r2 = Wide.hi;
    r1 = Wide.mulAdd(r1, a1, b0);
    r2 = Wide.mac(r2, a1, b1, Wide.hi);
    const r3 = Wide.hi;
    return Operands.store128(r2, r3) && Operands.store128(r0, r1);
  }

  /**
   * DivMod hint: writes quotient and remainder.
   *
   * @returns `false` after a recorded failure
   */
  static divMod(): bool {
    if (!Operands.felt(A) || !Operands.felt(B)) return false;
    if (Felt.isZero(B)) return Failure.plain(Cause.HINT_DIVISION_BY_ZERO);
    Big.divide(Q, R, A, B);
    return Operands.store(Q) && Operands.store(R);
  }

  /**
   * Reads the next two operands as low and high half of a 256-bit integer.
   *
   * @returns `false` after a recorded failure
   */
  private static read256(out: usize): bool {
    if (!Operands.felt(C) || !Operands.felt(D)) return false;
    if (!Big.isU128(C) || !Big.isU128(D)) return Failure.plain(Cause.HINT_OPERAND);
    Felt.set(out, load<u64>(C), load<u64>(C, 8), load<u64>(D), load<u64>(D, 8));
    return true;
  }

  /**
   * Writes a 256-bit integer as low and high half to the next two references.
   *
   * @returns `false` after a recorded failure
   */
  private static store256(value: usize): bool {
    return (
      Operands.store128(load<u64>(value), load<u64>(value, 8)) &&
      Operands.store128(load<u64>(value, 16), load<u64>(value, 24))
    );
  }

  /**
   * Uint256DivMod hint: writes the quotient and then the remainder, each as low and high half.
   *
   * @returns `false` after a recorded failure
   */
  static uint256DivMod(): bool {
    if (!MathHints.read256(A) || !MathHints.read256(B)) return false;
    if (Felt.isZero(B)) return Failure.plain(Cause.HINT_DIVISION_BY_ZERO);
    Big.divide(Q, R, A, B);
    return MathHints.store256(Q) && MathHints.store256(R);
  }

  static squareRoot(): bool {
    if (!Operands.felt(A)) return false;
    Big.squareRoot(Q, R, A);
    return Operands.store(Q);
  }

  /**
   * Uint256SquareRoot hint: writes the root as two 64-bit limbs, the remainder as low and high half, and
   * whether 2 root - remainder >= 2^128.
   *
   * @returns `false` after a recorded failure
   */
  static uint256SquareRoot(): bool {
    if (!MathHints.read256(A)) return false;
    Big.squareRoot(Q, R, A);
    const q0 = load<u64>(Q);
    const q1 = load<u64>(Q, 8);
    if (!Operands.storeNumber(q0) || !Operands.storeNumber(q1)) return false;
    if (!MathHints.store256(R)) return false;
    Felt.set(A, q0 << 1, (q1 << 1) | (q0 >> 63), q1 >> 63, 0);
    Big.sub(A, A, R);
    return Operands.storeNumber(u64(!Big.isU128(A)));
  }

  /**
   * LinearSplit hint: writes x = min(value / scalar, max_x) and y = value - x * scalar.
   *
   * @returns `false` after a recorded failure
   */
  static linearSplit(): bool {
    if (!Operands.felt(A) || !Operands.felt(B) || !Operands.felt(C)) return false;
    if (Felt.isZero(B)) return Failure.plain(Cause.HINT_DIVISION_BY_ZERO);
    Big.divide(Q, R, A, B);
    if (Big.isLess(C, Q)) Felt.copy(Q, C);
    if (!Operands.store(Q)) return false;
    Felt.mul(R, Q, B);
    Felt.sub(R, A, R);
    return Operands.store(R);
  }

  /**
   * RandomEcPoint hint: writes x and y of a point. A run starts at a multiple of the generator that the host
   * derives from the transaction, and continues by a fixed step. The points cannot be predicted, and none
   * repeats within a run.
   *
   * @returns `false` after a recorded failure
   */
  static randomEcPoint(): bool {
    if (F.hasPoint == 0) {
      F.hasPoint = 1;
      pointScalar(u32(SCALAR));
      Ec.mulGenerator(POINT, SCALAR);
    } else {
      memory.copy(POINT, pointOfFrame(), 64);
      Ec.nextPoint(POINT);
    }
    memory.copy(pointOfFrame(), POINT, 64);
    return Operands.store(POINT) && Operands.store(POINT + 32);
  }

  /**
   * FieldSqrt hint: writes the root of the value or, if it has no root, of three times the value.
   *
   * @returns `false` after a recorded failure
   */
  static fieldSqrt(): bool {
    if (!Operands.felt(A)) return false;
    if (!Felt.sqrt(Q, A)) {
      Felt.mul(A, A, THREE);
      if (!Felt.sqrt(Q, A)) return Failure.plain(Cause.HINT_STATE);
    }
    return Operands.store(Q);
  }

  /**
   * AssertLeFindSmallArcs hint: the arcs are 0 to a, a to b, b to -1. Writes the two shorter ones, divided by
   * their bounds, to four range check cells.
   *
   * @returns `false` after a recorded failure
   */
  static smallArcs(): bool {
    const head = Operands.cursor;
    Operands.cursor += Operand.BYTES;
    if (!Operands.felt(A) || !Operands.felt(B)) return false;
    Operands.cursor = head;
    if (!Operands.address(D)) return false;
    Operands.cursor = head + 3 * Operand.BYTES;
    const segment = load<u64>(D, 8);
    const offset = load<u64>(D);
    // A, B, C become the lengths of arcs 0, 1, 2.
    Felt.neg(C, B);
    Felt.sub(C, C, Felt.one());
    Felt.sub(B, B, A);
    let small = A;
    let middle = B;
    let large = C;
    if (Felt.cmp(middle, small) < 0) {
      const swap = small;
      small = middle;
      middle = swap;
    }
    if (Felt.cmp(large, middle) < 0) {
      const swap = middle;
      middle = large;
      large = swap;
      if (Felt.cmp(middle, small) < 0) {
        const other = small;
        small = middle;
        middle = other;
      }
    }
    F.excludedArc = large == A ? 0 : large == B ? 1 : 2;
    Big.divide(Q, R, small, THIRD);
    if (!MathHints.writeAt(segment, offset, R)) return false;
    if (!MathHints.writeAt(segment, offset + 1, Q)) return false;
    Big.divide(Q, R, middle, HALF);
    if (!MathHints.writeAt(segment, offset + 2, R)) return false;
    return MathHints.writeAt(segment, offset + 3, Q);
  }

  private static writeAt(segment: u64, offset: u64, value: usize): bool {
    Cells.flag(value);
    return Cells.write(segment, offset, value);
  }
}
