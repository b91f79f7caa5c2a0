import { Felt } from "./felt";

const WINDOW_COUNT: usize = 24;
const WINDOW_SIZE: usize = 256;
const HASH_SIZE: usize = 1024;

/**
 * `WINDOW_COUNT` rows of `WINDOW_SIZE` felts in Montgomery form: row m, column d holds g^(-d * 2^(8 m)) with
 * g = 3^(2^59 + 17), a generator of the subgroup of order 2^192.
 */
const POWERS: usize = heap.alloc(WINDOW_COUNT * WINDOW_SIZE * 32);

/** Open-addressing hash table over the column of the last row: u16 each, 0 = free, else 1 + discrete log. */
const LOGS: usize = memory.data(2048, 8);

/** x^(2^(8 k)) of the element whose logarithm is computed, k = 0..23. */
const SQUARES: usize = memory.data(768, 32);

/** Digits of the logarithm, least significant first, and one more for the shift. */
const DIGITS: usize = memory.data(32, 8);

/** Cache of repeated squares, such as those of public keys, with their roots. */
const KNOWN_SLOTS: usize = 1024;
const KNOWN: usize = heap.alloc(KNOWN_SLOTS * 64);

/** Low limbs of recently seen squares; a square is cached only on its second use. */
const SEEN_SLOTS: usize = 4096;
const SEEN: usize = heap.alloc(SEEN_SLOTS * 8);

const SQUARE: usize = memory.data(32, 32);
const VALUE: usize = memory.data(32, 32);
const ROOT: usize = memory.data(32, 32);
const PRODUCT: usize = memory.data(32, 32);

let isReady: bool = false;

/** Keeps the compiler from dropping prefetching reads. */
let touched: u64 = 0;

/**
 * Square roots in the Stark field, P - 1 = 2^192 * (2^59 + 17).
 *
 * Tonelli-Shanks is quadratic in the 192 bits. Here tables give the discrete logarithm in the 2-part eight
 * bits at a time (P. Sarkar, "Computing square roots faster than the Tonelli-Shanks/Bernstein algorithm",
 * 2020), with about 560 products in total.
 */
export class SquareRoot {
  /** See {@link Felt.sqrt}. */
  static find(out: usize, a: usize): bool {
    if (Felt.isZero(a)) {
      Felt.setU64(out, 0);
      return true;
    }
    const hash = (load<u64>(a) ^ rotl(load<u64>(a, 16), 31)) * 0x9e3779b97f4a7c15;
    const known = KNOWN + <usize>((hash >> 40) & (KNOWN_SLOTS - 1)) * 64;
    if (Felt.eq(known, a)) {
      Felt.copy(out, known + 32);
      return true;
    }
    const low = load<u64>(a);
    const seen = SEEN + <usize>(hash >> 52) * 8;
    const isAgain = load<u64>(seen) == low;
    store<u64>(seen, low);
    Felt.copy(SQUARE, a);
    if (!SquareRoot.compute(out, a)) return false;
    if (isAgain) {
      Felt.copy(known, SQUARE);
      Felt.copy(known + 32, out);
    }
    return true;
  }

  /** {@link find} of a non-zero value, without the cache. */
  private static compute(out: usize, a: usize): bool {
    if (!isReady) SquareRoot.buildTables();
    // With t = 2^59 + 17 and v = a^((t - 1) / 2): root = a v, and b = a v^2 = a^t = g^e.
    Felt.toMont(VALUE, a);
    Felt.sqrMontTimes(PRODUCT, VALUE, 55);
    Felt.mulMont(PRODUCT, PRODUCT, VALUE);
    Felt.sqrMontTimes(PRODUCT, PRODUCT, 3);
    Felt.mulMont(ROOT, VALUE, PRODUCT);
    Felt.mulMont(SQUARES, ROOT, PRODUCT);
    if (!SquareRoot.logarithm()) return false;

    // root^2 = a g^e, so the result is root * g^(-e / 2).
    for (let i: usize = 0; i < WINDOW_COUNT; i++) {
      const digit = (load<u8>(DIGITS + i) >> 1) | (load<u8>(DIGITS + i + 1) << 7);
      if (digit != 0) Felt.mulMont(ROOT, ROOT, SquareRoot.power(i, digit));
    }
    Felt.fromMont(ROOT, ROOT);
    Felt.neg(PRODUCT, ROOT);
    Felt.copy(out, Felt.cmp(ROOT, PRODUCT) < 0 ? ROOT : PRODUCT);
    return true;
  }

  /** Fills DIGITS with the logarithm of SQUARES[0]; returns `false` as soon as it proves odd. */
  static logarithm(): bool {
    for (let k: usize = 1; k < WINDOW_COUNT; k++) {
      Felt.sqrMontTimes(SQUARES + k * 32, SQUARES + (k - 1) * 32, 8);
    }
    for (let j: usize = 0; j < WINDOW_COUNT; j++) {
      const shift = WINDOW_COUNT - 1 - j;
      Felt.copy(PRODUCT, SQUARES + shift * 32);
      for (let i: usize = 0; i < j; i++) {
        const digit = load<u8>(DIGITS + i);
        if (digit != 0) Felt.mulMont(PRODUCT, PRODUCT, SquareRoot.power(i + shift, digit));
      }
      const digit = SquareRoot.lookUp(PRODUCT);
      if (j == 0 && (digit & 1) != 0) return false;
      store<u8>(DIGITS + j, digit);
      // Prefetch what later digits need: the tables mostly exceed the processor's caches.
      for (let row = j; row + 1 < WINDOW_COUNT; row++) {
        touched ^= load<u64>(SquareRoot.power(row, digit));
      }
    }
    return true;
  }

  @inline
  static power(row: usize, column: usize): usize {
    return POWERS + (row * WINDOW_SIZE + column) * 32;
  }

  @inline
  static hash(value: usize): usize {
    return <usize>((load<u64>(value) * 0x9e3779b97f4a7c15) >> 54);
  }

  /** Returns d with value = g^(d * 2^184). */
  static lookUp(value: usize): u8 {
    let slot = SquareRoot.hash(value);
    while (true) {
      const entry = load<u16>(LOGS + slot * 2);
      assert(entry != 0, "not in the subgroup");
      const log = <usize>entry - 1;
      const column = (WINDOW_SIZE - log) & (WINDOW_SIZE - 1);
      if (Felt.eq(SquareRoot.power(WINDOW_COUNT - 1, column), value)) return <u8>log;
      slot = (slot + 1) & (HASH_SIZE - 1);
    }
  }

  static buildTables(): void {
    isReady = true;
    // g^-1 = (1 / 3)^(2^59 + 17).
    Felt.setU64(VALUE, 3);
    Felt.toMont(VALUE, VALUE);
    Felt.invMont(VALUE, VALUE);
    Felt.sqrMontTimes(PRODUCT, VALUE, 55);
    Felt.mulMont(PRODUCT, PRODUCT, VALUE);
    Felt.sqrMontTimes(PRODUCT, PRODUCT, 4);
    Felt.mulMont(PRODUCT, PRODUCT, VALUE);
    for (let row: usize = 0; row < WINDOW_COUNT; row++) {
      Felt.copy(SquareRoot.power(row, 0), Felt.montOne());
      for (let column: usize = 1; column < WINDOW_SIZE; column++) {
        Felt.mulMont(SquareRoot.power(row, column), SquareRoot.power(row, column - 1), PRODUCT);
      }
      Felt.mulMont(PRODUCT, SquareRoot.power(row, WINDOW_SIZE - 1), PRODUCT);
    }
    for (let log: usize = 0; log < WINDOW_SIZE; log++) {
      const column = (WINDOW_SIZE - log) & (WINDOW_SIZE - 1);
      let slot = SquareRoot.hash(SquareRoot.power(WINDOW_COUNT - 1, column));
      while (load<u16>(LOGS + slot * 2) != 0) slot = (slot + 1) & (HASH_SIZE - 1);
      store<u16>(LOGS + slot * 2, <u16>(log + 1));
    }
  }
}
