import { Cube } from "./cube";
import { Felt } from "./felt";
import { FULL_KEYS, PARTIAL_KEYS } from "./poseidon-keys";
import { Wide } from "./wide";

const HALF_FULL: usize = 4;
const PARTIAL_ROUNDS: usize = 83;
const P3: u64 = 0x0800000000000011;

const STATE: usize = memory.data(96, 32);
const CUBE: usize = memory.data(32, 32);

/**
 * p(r), p(r - 1) and the S-box input of {@link Poseidon.partialRounds}; the last is scratch space elsewhere.
 */
const NOW: usize = memory.data(32, 32);
const BEFORE: usize = memory.data(32, 32);
const INPUT: usize = memory.data(32, 32);

/**
 * Starknet's Poseidon: the Hades permutation of width 3 with x^3, 4 full rounds, 83 partial rounds
 * on the third element, 4 full rounds, and the mixing matrix ((3,1,1), (1,-1,1), (1,1,-2)).
 *
 * Source: Starknet docs "Cryptography / Poseidon hash"; starkware-industries/poseidon.
 */
export class Poseidon {
  /** The permutation in place on three canonical felts. */
  static permute(state: usize): void {
    Felt.toMont(STATE, state);
    Felt.toMont(STATE + 32, state + 32);
    Felt.toMont(STATE + 64, state + 64);
    Poseidon.permuteMont();
    Felt.fromMont(state, STATE);
    Felt.fromMont(state + 32, STATE + 32);
    Felt.fromMont(state + 64, STATE + 64);
  }

  /** out = poseidon_hash(a, b): the first element of the permutation of (a, b, 2). */
  static hash(out: usize, a: usize, b: usize): void {
    Poseidon.hashWith(out, a, b, 2);
  }

  /** out = poseidon_hash_single(a): the first element of the permutation of (a, 0, 1). */
  static hashSingle(out: usize, a: usize): void {
    Felt.setU64(CUBE, 0);
    Poseidon.hashWith(out, a, CUBE, 1);
  }

  /**
   * out = poseidon_hash_many of `count` consecutive canonical felts: rate 2, padded with a one and then a
   * zero if the length is still odd.
   */
  static hashMany(out: usize, values: usize, count: u32): void {
    Poseidon.begin();
    Poseidon.absorbPairs(values, count >> 1);
    Poseidon.finish(out, values + (((<usize>count) & ~1) << 5), (count & 1) != 0);
  }

  /** Starts the sponge of {@link hashMany} for values in several parts. */
  static begin(): void {
    memory.fill(STATE, 0, 96);
  }

  static absorbPairs(values: usize, pairCount: u32): void {
    const end = values + ((<usize>pairCount) << 6);
    for (let at = values; at < end; at += 64) {
      Poseidon.absorb(STATE, at);
      Poseidon.absorb(STATE + 32, at + 32);
      Poseidon.permuteMont();
    }
  }

  /** Absorbs the last single value if any, pads, and writes the hash. */
  static finish(out: usize, single: usize, hasSingle: bool): void {
    if (hasSingle) {
      Poseidon.absorb(STATE, single);
      Felt.add(STATE + 32, STATE + 32, Felt.montOne());
    } else {
      Felt.add(STATE, STATE, Felt.montOne());
    }
    Poseidon.permuteMont();
    Felt.fromMont(out, STATE);
  }

  static hashWith(out: usize, a: usize, b: usize, capacity: u64): void {
    Felt.toMont(STATE, a);
    Felt.toMont(STATE + 32, b);
    Felt.setU64(STATE + 64, capacity);
    Felt.toMont(STATE + 64, STATE + 64);
    Poseidon.permuteMont();
    Felt.fromMont(out, STATE);
  }

  @inline
  static absorb(element: usize, value: usize): void {
    Felt.toMont(CUBE, value);
    Felt.add(element, element, CUBE);
  }

  static permuteMont(): void {
    Poseidon.fullRounds(FULL_KEYS);
    Poseidon.partialRounds();
    Poseidon.fullRounds(FULL_KEYS + HALF_FULL * 96);
  }

  static fullRounds(firstKeys: usize): void {
    for (let keys = firstKeys; keys < firstKeys + HALF_FULL * 96; keys += 96) {
      Poseidon.cube(STATE, STATE, keys);
      Poseidon.cube(STATE + 32, STATE + 32, keys + 32);
      Poseidon.cube(STATE + 64, STATE + 64, keys + 64);
      Poseidon.mix(STATE);
    }
  }

  /** out = (a + key)^3. */
  @inline
  static cube(out: usize, a: usize, key: usize): void {
    Felt.add(out, a, key);
    Cube.find(out, out);
  }

  static mix(state: usize): void {
    Felt.add(CUBE, state, state + 32);
    Felt.add(CUBE, CUBE, state + 64);
    Felt.add(state, state, state);
    Felt.add(state, state, CUBE);
    Felt.subTwo(INPUT, CUBE, state + 32, state + 32);
    Felt.copy(state + 32, INPUT);
    Felt.subTwo(INPUT, CUBE, state + 64, state + 64);
    Felt.sub(state + 64, INPUT, state + 64);
  }

  /**
   * Computes the partial rounds as a recurrence over the S-box alone.
   *
   * Let s0, s1 be the untouched elements before round r, p(r) = s0 + s1, x(r) the input of the S-box (key
   * included) and y(r) = x(r)^3. The matrix gives x(r + 1) = p(r) - 2 y(r) + key(r + 1), p(1) = 4 s0 + 2
   * y(0), and, since ((3,1), (1,-1)) has the polynomial z^2 - 2z - 4, p(r + 1) = 2 (p(r) + 2 p(r - 1) +
   * y(r)). The elements after the last round n - 1 are s0 = p(n)/2 + p(n - 1), s1 = p(n) - s0, s2 = p(n - 1)
   * - 2 y(n - 1).
   *
   * p is kept below 2P and x below 5P, which Felt.mulMont allows.
   */
  static partialRounds(): void {
    Felt.add(BEFORE, STATE, STATE + 32);
    Felt.add(INPUT, STATE + 64, PARTIAL_KEYS);
    Cube.find(CUBE, INPUT);
    Poseidon.nextInput(BEFORE, PARTIAL_KEYS + 32);
    Felt.add(NOW, STATE, STATE);
    Felt.add(NOW, NOW, CUBE);
    Felt.add(NOW, NOW, NOW);
    const last = PARTIAL_KEYS + PARTIAL_ROUNDS * 32;
    let now = NOW;
    let before = BEFORE;
    for (let key = PARTIAL_KEYS + 64; key < last; key += 32) {
      Cube.find(CUBE, INPUT);
      Poseidon.nextInput(now, key);
      Poseidon.advance(before, now);
      const swap = now;
      now = before;
      before = swap;
    }
    Cube.find(CUBE, INPUT);
    // Half of p(n) without a division: p(n - 1) + 2 p(n - 2) + y(n - 1).
    Felt.reduce(now, now);
    Felt.reduce(before, before);
    Felt.add(before, before, before);
    Felt.add(before, before, now);
    Felt.add(before, before, CUBE);
    Felt.add(STATE, before, now);
    Felt.sub(STATE + 32, before, now);
    Felt.sub(STATE + 64, now, CUBE);
    Felt.sub(STATE + 64, STATE + 64, CUBE);
  }

  /** INPUT = p + key - 2 CUBE, below 5P; the keys include an extra 2P. */
  @inline
  static nextInput(p: usize, key: usize): void {
    const y0 = load<u64>(CUBE);
    const y1 = load<u64>(CUBE, 8);
    const y2 = load<u64>(CUBE, 16);
    const y3 = load<u64>(CUBE, 24);
    // Twice a limb takes two words; carries between limbs are small and signed.
    let r0 = Wide.add128(load<u64>(p), 0, load<u64>(key), 0);
    r0 = Wide.sub128(r0, Wide.hi, y0 << 1, y0 >> 63);
    const carry0 = Wide.hi;
    let r1 = Wide.add128(load<u64>(p, 8), 0, load<u64>(key, 8), 0);
    r1 = Wide.sub128(r1, Wide.hi, y1 << 1, y1 >> 63);
    r1 = Wide.add128(r1, Wide.hi, carry0, <u64>((<i64>carry0) >> 63));
    const carry1 = Wide.hi;
    let r2 = Wide.add128(
      load<u64>(p, 16),
      load<u64>(p, 24),
      load<u64>(key, 16),
      load<u64>(key, 24),
    );
    r2 = Wide.sub128(r2, Wide.hi, y2 << 1, (y3 << 1) | (y2 >> 63));
    r2 = Wide.add128(r2, Wide.hi, carry1, <u64>((<i64>carry1) >> 63));
    Felt.set(INPUT, r0, r1, r2, Wide.hi);
  }

  /** before = 2 (now + 2 before + CUBE), reduced below 2P. */
  @inline
  static advance(before: usize, now: usize): void {
    const b0 = load<u64>(before);
    const b1 = load<u64>(before, 8);
    const b2 = load<u64>(before, 16);
    const b3 = load<u64>(before, 24);
    let r0 = Wide.add128(load<u64>(now), 0, load<u64>(CUBE), 0);
    r0 = Wide.add128(r0, Wide.hi, b0 << 1, b0 >> 63);
    const carry0 = Wide.hi;
    let r1 = Wide.add128(load<u64>(now, 8), 0, load<u64>(CUBE, 8), 0);
    r1 = Wide.add128(r1, Wide.hi, b1 << 1, b1 >> 63);
    r1 = Wide.add128(r1, Wide.hi, carry0, 0);
    const carry1 = Wide.hi;
    let r2 = Wide.add128(
      load<u64>(now, 16),
      load<u64>(now, 24),
      load<u64>(CUBE, 16),
      load<u64>(CUBE, 24),
    );
    r2 = Wide.add128(r2, Wide.hi, b2 << 1, (b3 << 1) | (b2 >> 63));
    r2 = Wide.add128(r2, Wide.hi, carry1, 0);
    let r3 = Wide.hi;
    r3 = (r3 << 1) | (r2 >> 63);
    r2 = (r2 << 1) | (r1 >> 63);
    r1 = (r1 << 1) | (r0 >> 63);
    r0 = r0 << 1;
    // The sum is below 14P. Subtracting P one time less than its bits from 251 upwards indicate leaves it
    // positive and below 2P.
    const top = r3 >> 59;
    const k = top - u64(top != 0);
    r3 -= k * P3;
    if (r0 >= k) {
      Felt.set(before, r0 - k, r1, r2, r3);
      return;
    }
    // Happens about once in 2^60 random values.
    r0 = Wide.sub(r0, k, 0);
    r1 = Wide.sub(r1, 0, Wide.hi);
    r2 = Wide.sub(r2, 0, Wide.hi);
    Felt.set(before, r0, r1, r2, r3 - Wide.hi);
  }
}
