import { EcStatus } from "./abi.generated";
import { Curve } from "./curve";
import { Ec } from "./ec";
import { Felt } from "./felt";
import { Wide } from "./wide";

/** Top limb of P = 2^251 + 17 * 2^192 + 1; the others are 1, 0, 0. */
const P3: u64 = 0x0800000000000011;

/** The two points over their common Z, as X and Y; see {@link SignedLadder}. */
const T: usize = memory.data(64, 32);
const D: usize = memory.data(64, 32);
/** Powers of the common Z. */
const Z4: usize = memory.data(32, 32);
const Z: usize = memory.data(32, 32);
/** Product of the Y of the doublings since the last addition. Y of T lacks its cube, Z the product itself. */
const BEHIND: usize = memory.data(32, 32);

/** Temporaries; their values do not survive a call. */
const A: usize = memory.data(32, 32);
const B: usize = memory.data(32, 32);
const C: usize = memory.data(32, 32);
const E: usize = memory.data(32, 32);
const F: usize = memory.data(32, 32);

/** Whether BEHIND covers any doubling; otherwise it means 1. */
let isBehind: bool = false;

/**
 * ec_op by signed digits (the non-adjacent form of m): one addition per three bits instead of two.
 *
 * With the digits below i summed up, T_i = P + (m mod 2^i - c 2^i) Q, where the carry c is 0 or 1, so that
 * S_i = T_i + c D_i in the notation of {@link EcOp}. Neither S_i nor T_i is ever the neutral element: P is
 * not, S_(i + 1) is only where S_i = -D_i, and no addition to T combines points with equal x. Step i < n
 * fails
 *
 * - with c = 0 when T_i = D_i or T_i = -D_i: x of the two is compared;
 * - with c = 1 when T_i = -2 D_i, since T_i + D_i = D_i is impossible. Where the digit is 0, T stays
 *   unchanged and is compared with D_(i + 1). Where the digit is 1 or -1, T_i = -2 D_i exactly if T_i + D_i
 *   has the x of D_i; the digit 1 computes this sum anyway, and its x costs one square in addition to T_i -
 *   D_i.
 *
 * The remaining case are additions of points with equal x where c = 1, so that T_i = D_i, as T_i = -D_i would
 * make S_i neutral. In a step i < n the bit is 0, hence i + 1 < n, and S_(i + 1) = 2 D_i = D_(i + 1): the
 * next step fails. With i = n the result is 2 D_n.
 *
 * The points are X / Z^2, Y / Z^3 with one Z for both (N. Meloni, "New point addition formulae for ECC
 * applications", 2007), so that x is compared without a product. A doubling replaces Z by Y Z and needs only
 * Z^4; Y of T and Z are updated when an addition needs them.
 */
export class SignedLadder {
  /** Arguments and result as for {@link EcOp.run}; points must be on the curve. */
  static run(out: usize, p: usize, q: usize, m: usize): u32 {
    Curve.enter(T, p);
    Curve.enter(D, q);
    Felt.copy(Z4, Felt.montOne());
    Felt.copy(Z, Felt.montOne());
    isBehind = false;
    const bitCount = Ec.bitLength(m);
    let carry = false;
    for (let i: u32 = 0; i < bitCount; i++) {
      const hasDigit = Ec.bit(m, i) != carry;
      if ((hasDigit || !carry) && Felt.eq(T, D)) return EcStatus.SAME_X;
      if (hasDigit) {
        const isNext = i + 1 < bitCount && Ec.bit(m, i + 1);
        if (SignedLadder.add(isNext, carry)) return EcStatus.SAME_X;
        carry = isNext;
      }
      if (i + 1 == bitCount && !carry) break;
      SignedLadder.double();
      // For the digit 0. After a -1 the points cannot be opposite, because T_i had another x than D_i.
      if (carry && Felt.eq(T, D)) {
        SignedLadder.catchUp();
        if (!Felt.eq(T + 32, D + 32)) return EcStatus.SAME_X;
      }
    }
    if (carry) {
      if (Felt.eq(T, D)) SignedLadder.takeDouble();
      else SignedLadder.add(false, false);
    }
    SignedLadder.leave(out);
    return EcStatus.OK;
  }

  /** D = 2D; scales T to the new Z. */
  @inline
  private static double(): void {
    Felt.sqrMont(A, D);
    SignedLadder.halfOfThreeTimes(A, A, Z4); // M = (3 X^2 + Z^4) / 2
    Felt.sqrMont(B, D + 32); // Y^2
    Felt.mulMont(T, T, B);
    if (isBehind) Felt.mulMont(BEHIND, BEHIND, D + 32);
    else Felt.copy(BEHIND, D + 32);
    isBehind = true;
    Felt.mulMont(C, D, B); // S = X Y^2
    Felt.sqrMont(B, B); // Y^4
    Felt.mulMont(Z4, Z4, B);
    Felt.sqrMont(D, A);
    Felt.subTwo(D, D, C, C);
    Felt.sub(C, C, D);
    Felt.mulMont(C, C, A);
    Felt.sub(D + 32, C, B);
  }

  /** T = 2D. */
  private static takeDouble(): void {
    SignedLadder.double();
    SignedLadder.catchUp();
    memory.copy(T, D, 64);
  }

  /** Updates Y of T and Z to the Z of the other coordinates. */
  private static catchUp(): void {
    if (!isBehind) return;
    isBehind = false;
    Felt.sqrMont(A, BEHIND);
    Felt.mulMont(A, A, BEHIND);
    Felt.mulMont(T + 32, T + 32, A);
    Felt.mulMont(Z, Z, BEHIND);
  }

  /**
   * T = T + D or T - D; scales D to the new Z. x of the two must differ.
   *
   * @returns with `wantsSum`, whether the old T + D has the x of D
   */
  @inline
  private static add(isMinus: bool, wantsSum: bool): bool {
    SignedLadder.catchUp();
    Felt.sub(A, T, D);
    Felt.mulMont(Z, Z, A);
    Felt.sqrMont(C, A);
    Felt.mulMont(B, T, C); // X of the old T
    Felt.mulMont(D, D, C);
    Felt.sqrMont(C, C);
    Felt.mulMont(Z4, Z4, C);
    Felt.sub(A, B, D); // the cube of the first difference
    Felt.sub(E, T + 32, D + 32);
    let isSame = false;
    if (isMinus) {
      if (wantsSum) {
        Felt.sqrMont(F, E);
        Felt.subTwo(F, F, B, D);
        isSame = Felt.eq(F, D);
      }
      Felt.add(E, T + 32, D + 32);
    }
    Felt.mulMont(D + 32, D + 32, A);
    Felt.sqrMont(T, E);
    Felt.subTwo(T, T, B, D);
    if (wantsSum && !isMinus) isSame = Felt.eq(T, D);
    Felt.sub(B, D, T);
    Felt.mulMont(B, B, E);
    if (isMinus) Felt.add(T + 32, B, D + 32);
    else Felt.sub(T + 32, B, D + 32);
    return isSame;
  }

  /** Converts T to canonical affine form; takes one inversion. */
  private static leave(out: usize): void {
    SignedLadder.catchUp();
    Felt.invMont(A, Z);
    Felt.sqrMont(B, A);
    Felt.mulMont(A, A, B);
    Felt.mulMont(T, T, B);
    Felt.mulMont(T + 32, T + 32, A);
    Curve.leave(out, T);
  }

  /** out = (3 a + b) / 2 modulo P, below 5 P / 2, which products accept. */
  @inline
  private static halfOfThreeTimes(out: usize, a: usize, b: usize): void {
    const a0 = load<u64>(a);
    const a1 = load<u64>(a, 8);
    const a2 = load<u64>(a, 16);
    const a3 = load<u64>(a, 24);
    let r0 = Wide.mulAdd(load<u64>(b), a0, 3);
    let r1 = Wide.mac(load<u64>(b, 8), a1, 3, Wide.hi);
    let r2 = Wide.mac(load<u64>(b, 16), a2, 3, Wide.hi);
    let r3 = Wide.mac(load<u64>(b, 24), a3, 3, Wide.hi);
    // Adding the odd P makes an odd number even.
    const odd = r0 & 1;
    r0 = Wide.add(r0, odd, 0);
    r1 = Wide.add(r1, 0, Wide.hi);
    r2 = Wide.add(r2, 0, Wide.hi);
    r3 = r3 + Wide.hi + ((0 - odd) & P3);
    Felt.set(out, (r0 >> 1) | (r1 << 63), (r1 >> 1) | (r2 << 63), (r2 >> 1) | (r3 << 63), r3 >> 1);
  }
}
