import { Felt } from "../../field/assembly/felt";
import { Wide } from "../../field/assembly/wide";

const DIVIDEND: usize = memory.data(64, 16);
const DIVISOR: usize = memory.data(64, 16);
const QUOTIENT: usize = memory.data(64, 16);

/** Unsigned 256-bit integers in memory: four little-endian 64-bit limbs. */
export class Big {
  @inline
  static isU64(a: usize): bool {
    return (load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0;
  }

  @inline
  static isU128(a: usize): bool {
    return (load<u64>(a, 16) | load<u64>(a, 24)) == 0;
  }

  static isLess(a: usize, b: usize): bool {
    for (let i: usize = 32; i > 0; i -= 8) {
      const x = load<u64>(a + i - 8);
      const y = load<u64>(b + i - 8);
      if (x != y) return x < y;
    }
    return false;
  }

  /** out = a - b modulo 2^256 */
  static sub(out: usize, a: usize, b: usize): void {
    const r0 = Wide.sub(load<u64>(a), load<u64>(b), 0);
    const r1 = Wide.sub(load<u64>(a, 8), load<u64>(b, 8), Wide.hi);
    const r2 = Wide.sub(load<u64>(a, 16), load<u64>(b, 16), Wide.hi);
    const r3 = Wide.sub(load<u64>(a, 24), load<u64>(b, 24), Wide.hi);
    Felt.set(out, r0, r1, r2, r3);
  }

  /** quotient, remainder = a / b; `b` is not zero. Outputs may be the inputs. */
  static divide(quotient: usize, remainder: usize, a: usize, b: usize): void {
    if (Big.isU64(a) && Big.isU64(b)) {
      const x = load<u64>(a);
      const y = load<u64>(b);
      Felt.set(quotient, x / y, 0, 0, 0);
      Felt.set(remainder, x % y, 0, 0, 0);
      return;
    }
    const b1 = load<u64>(b, 8);
    const b2 = load<u64>(b, 16);
    if ((load<u64>(b) | load<u64>(b, 24)) == 0 && (b1 | b2) == 1) {
      // 2^64 or 2^128, with which compiled code splits integers.
      const a0 = load<u64>(a);
      const a1 = load<u64>(a, 8);
      const a2 = load<u64>(a, 16);
      const a3 = load<u64>(a, 24);
      if (b1 != 0) Felt.set(quotient, a1, a2, a3, 0);
      else Felt.set(quotient, a2, a3, 0, 0);
      Felt.set(remainder, a0, b1 != 0 ? 0 : a1, 0, 0);
      return;
    }
    if (Big.isLess(a, b)) {
      Felt.set(remainder, load<u64>(a), load<u64>(a, 8), load<u64>(a, 16), load<u64>(a, 24));
      Felt.set(quotient, 0, 0, 0, 0);
      return;
    }
    let words: i32 = 8;
    while (load<u32>(b + (usize(words - 1) << 2)) == 0) words--;
    memory.fill(QUOTIENT, 0, 32);
    if (words == 1) {
      Big.divideByWord(a, load<u32>(b));
    } else {
      Big.divideLong(a, b, words);
    }
    memory.copy(remainder, DIVIDEND, 32);
    memory.copy(quotient, QUOTIENT, 32);
  }

  private static divideByWord(a: usize, divisor: u64): void {
    let rest: u64 = 0;
    for (let i: i32 = 7; i >= 0; i--) {
      const at = usize(i) << 2;
      const current = (rest << 32) | u64(load<u32>(a + at));
      store<u32>(QUOTIENT + at, u32(current / divisor));
      rest = current % divisor;
    }
    Felt.set(DIVIDEND, rest, 0, 0, 0);
  }

  /** Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D in base 2^32; for two words or more. */
  private static divideLong(a: usize, b: usize, words: i32): void {
    const shift = clz(load<u32>(b + (usize(words - 1) << 2)));
    Big.shiftLeft(DIVISOR, b, shift);
    Big.shiftLeft(DIVIDEND, a, shift);
    const top = u64(load<u32>(DIVISOR + (usize(words - 1) << 2)));
    const second = u64(load<u32>(DIVISOR + (usize(words - 2) << 2)));
    for (let j: i32 = 8 - words; j >= 0; j--) {
      const at = DIVIDEND + (usize(j + words) << 2);
      const high = (u64(load<u32>(at)) << 32) | u64(load<u32>(at - 4));
      let estimate = high / top;
      let rest = high % top;
      while (estimate > 0xffffffff || estimate * second > ((rest << 32) | u64(load<u32>(at - 8)))) {
        estimate--;
        rest += top;
        if (rest > 0xffffffff) break;
      }
      if (Big.subtractProduct(DIVIDEND + (usize(j) << 2), estimate, words)) {
        estimate--;
        Big.addBack(DIVIDEND + (usize(j) << 2), words);
      }
      store<u32>(QUOTIENT + (usize(j) << 2), u32(estimate));
    }
    Big.shiftRight(DIVIDEND, shift);
  }

  /** out (nine words) = a * 2^shift, shift < 32 */
  private static shiftLeft(out: usize, a: usize, shift: u32): void {
    let carry: u64 = 0;
    for (let i: usize = 0; i < 32; i += 4) {
      const value = (u64(load<u32>(a + i)) << shift) | carry;
      store<u32>(out + i, u32(value));
      carry = value >> 32;
    }
    store<u32>(out + 32, u32(carry));
  }

  private static shiftRight(a: usize, shift: u32): void {
    for (let i: usize = 0; i < 32; i += 4) {
      const value = (u64(load<u32>(a + i + 4)) << 32) | u64(load<u32>(a + i));
      store<u32>(a + i, u32(value >> shift));
    }
  }

  /** at -= estimate * divisor. @returns whether the result is negative */
  private static subtractProduct(at: usize, estimate: u64, words: i32): bool {
    let borrow: u64 = 0;
    for (let i: i32 = 0; i < words; i++) {
      const index = usize(i) << 2;
      const product = estimate * u64(load<u32>(DIVISOR + index)) + borrow;
      const current = u64(load<u32>(at + index));
      const low = product & 0xffffffff;
      store<u32>(at + index, u32(current - low));
      borrow = (product >> 32) + u64(current < low);
    }
    const last = at + (usize(words) << 2);
    const current = u64(load<u32>(last));
    store<u32>(last, u32(current - borrow));
    return current < borrow;
  }

  private static addBack(at: usize, words: i32): void {
    let carry: u64 = 0;
    for (let i: i32 = 0; i < words; i++) {
      const index = usize(i) << 2;
      const sum = u64(load<u32>(at + index)) + u64(load<u32>(DIVISOR + index)) + carry;
      store<u32>(at + index, u32(sum));
      carry = sum >> 32;
    }
    const last = at + (usize(words) << 2);
    store<u32>(last, load<u32>(last) + u32(carry));
  }

  /** root = floor(sqrt(a)), remainder = a - root^2; computed bit by bit. */
  static squareRoot(root: usize, remainder: usize, a: usize): void {
    memory.copy(DIVIDEND, a, 32);
    Felt.set(QUOTIENT, 0, 0, 0, 0);
    let position: i32 = 254;
    while (position >= 64 && load<u64>(a + (usize(position >> 6) << 3)) == 0) position -= 64;
    for (; position >= 0; position -= 2) {
      // candidate = root * 2 (kept shifted to this position) + 2^position
      memory.copy(DIVISOR, QUOTIENT, 32);
      const limb = DIVISOR + (usize(position >> 6) << 3);
      store<u64>(limb, load<u64>(limb) | ((1 as u64) << u64(position & 63)));
      const fits = !Big.isLess(DIVIDEND, DIVISOR);
      if (fits) Big.sub(DIVIDEND, DIVIDEND, DIVISOR);
      Big.halve(QUOTIENT);
      if (fits) {
        const bit = QUOTIENT + (usize(position >> 6) << 3);
        store<u64>(bit, load<u64>(bit) | ((1 as u64) << u64(position & 63)));
      }
    }
    memory.copy(root, QUOTIENT, 32);
    memory.copy(remainder, DIVIDEND, 32);
  }

  private static halve(a: usize): void {
    const x1 = load<u64>(a, 8);
    const x2 = load<u64>(a, 16);
    const x3 = load<u64>(a, 24);
    Felt.set(
      a,
      (load<u64>(a) >> 1) | (x1 << 63),
      (x1 >> 1) | (x2 << 63),
      (x2 >> 1) | (x3 << 63),
      x3 >> 1,
    );
  }
}
