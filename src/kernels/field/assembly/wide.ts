/**
 * 128-bit products and carry chains.
 *
 * Each function returns the low word and stores the high word (or carry, borrow) in `Wide.hi`. A caller may
 * read `Wide.hi` only after its own call of one of them: the build (scripts/kernels.ts) turns `hi` into a
 * local variable of each function, and the calls into wide-arithmetic instructions (wide build) or plain ones
 * (plain build). The bodies below run only in the debug build.
 */
export class Wide {
  static hi: u64 = 0;

  /** Low word of `a * b` with 32-bit digits; the high word goes to `hi`. */
  static mul(a: u64, b: u64): u64 {
    const a0 = a & 0xffffffff;
    const a1 = a >> 32;
    const b0 = b & 0xffffffff;
    const b1 = b >> 32;
    const low = a0 * b0;
    const middle = a1 * b0 + (low >> 32);
    const cross = a0 * b1 + (middle & 0xffffffff);
    Wide.hi = a1 * b1 + (middle >> 32) + (cross >> 32);
    return (cross << 32) | (low & 0xffffffff);
  }

  /** `a * b + t + c`, which always fits in 128 bits. */
  static mac(t: u64, a: u64, b: u64, c: u64): u64 {
    let low = Wide.mul(a, b);
    let high = Wide.hi;
    low += t;
    high += u64(low < t);
    low += c;
    Wide.hi = high + u64(low < c);
    return low;
  }

  /** `a * b + t`. */
  static mulAdd(t: u64, a: u64, b: u64): u64 {
    const low = Wide.mul(a, b) + t;
    Wide.hi += u64(low < t);
    return low;
  }

  /** `a + b + carry` with `carry` 0 or 1; `hi` becomes the carry out. */
  static add(a: u64, b: u64, carry: u64): u64 {
    const sum = a + b;
    const total = sum + carry;
    Wide.hi = u64(sum < a) | u64(total < sum);
    return total;
  }

  /** `a - b - borrow` with `borrow` 0 or 1; `hi` becomes the borrow out. */
  static sub(a: u64, b: u64, borrow: u64): u64 {
    const difference = a - b;
    const total = difference - borrow;
    Wide.hi = u64(a < b) | u64(difference < borrow);
    return total;
  }

  /** Low word of (aHigh, aLow) + (bHigh, bLow); `hi` becomes the high word, carries beyond are lost. */
  static add128(aLow: u64, aHigh: u64, bLow: u64, bHigh: u64): u64 {
    const low = aLow + bLow;
    Wide.hi = aHigh + bHigh + u64(low < aLow);
    return low;
  }

  /** Low word of (aHigh, aLow) - (bHigh, bLow); `hi` becomes the high word. */
  static sub128(aLow: u64, aHigh: u64, bLow: u64, bHigh: u64): u64 {
    Wide.hi = aHigh - bHigh - u64(aLow < bLow);
    return aLow - bLow;
  }
}
