import "./room";
import { ABI_FINGERPRINT, Layout } from "./abi.generated";
import { BaseTables } from "./base-tables";
import { Blake2s } from "./blake2s";
import { Ec } from "./ec";
import { EcOp } from "./ec-op";
import { Ecdsa } from "./ecdsa";
import { Felt } from "./felt";
import { Keccak } from "./keccak";
import { Pedersen } from "./pedersen";
import { Poseidon } from "./poseidon";
import { Power } from "./power";
import { Scalar } from "./scalar";
import { Sha256 } from "./sha256";
import { ShortCurve } from "./short-curve";
import { ShortLadder } from "./short-ladder";

/**
 * The field kernel: hashes and signatures in batches over one static window.
 *
 * The host writes arguments to the window (felts of 32 bytes, little-endian, canonical), calls a function
 * with counts, and reads results from the start of the window. A number in the docblocks below is the index of
 * a felt in the window, so `H(0, 1)` is the Pedersen hash of the first two; `result` is felt 0, of several
 * results the first felts.
 *
 *     window +0                                                 +WINDOW_BYTES
 *            | arguments, felt after felt; overwritten by results |
 */
const WINDOW: usize = heap.alloc(Layout.WINDOW_BYTES);

BaseTables.place((heap.alloc(BaseTables.BYTES + 63) + 63) & ~63);

/**
 * Address of the window: the area of {@link Layout.WINDOW_BYTES} where the host writes arguments and reads
 * results.
 */
export const window: usize = WINDOW;

/** Fingerprint of the ABI that the kernel was built with. */
export const abi: u32 = ABI_FINGERPRINT;

/** Replaces window felt 0 by the Pedersen hash of window felts 0 and 1; recent pairs are cached. */
export function pedersen(): void {
  Pedersen.hash(WINDOW, WINDOW, WINDOW + 32);
}

/**
 * Replaces window felt i by the Pedersen hash of window felts 2i and 2i + 1, for i < count, without
 * the cache.
 */
export function pedersenBatch(count: u32): void {
  Pedersen.hashBatch(WINDOW, WINDOW, count);
}

/**
 * Folds the `count` window felts from index 1 on into window felt 0 by Pedersen: acc = H(acc,
 * value).
 */
export function pedersenChain(count: u32): void {
  for (let i: u32 = 1; i <= count; i++) Pedersen.hash(WINDOW, WINDOW, WINDOW + ((<usize>i) << 5));
}

/** Replaces window felt 0 by `poseidon_hash` of window felts 0 and 1. */
export function poseidon(): void {
  Poseidon.hash(WINDOW, WINDOW, WINDOW + 32);
}

/** Replaces window felt 0 by `poseidon_hash_single` of it. */
export function poseidonSingle(): void {
  Poseidon.hashSingle(WINDOW, WINDOW);
}

/** Applies the Poseidon permutation to window felts 0, 1 and 2 in place. */
export function poseidonPermute(): void {
  Poseidon.permute(WINDOW);
}

/** Replaces window felt i by `poseidon_hash` of window felts 2i and 2i + 1, for i < count. */
export function poseidonBatch(count: u32): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const pair = WINDOW + (i << 6);
    Poseidon.hash(WINDOW + (i << 5), pair, pair + 32);
  }
}

/** Starts poseidon_hash_many. Any other Poseidon call before {@link poseidonFinish} destroys its state. */
export function poseidonBegin(): void {
  Poseidon.begin();
}

/**
 * Absorbs window felts 0 to 2 `pairCount` - 1, in pairs, into the hash that {@link poseidonBegin}
 * started.
 */
export function poseidonAbsorb(pairCount: u32): void {
  Poseidon.absorbPairs(WINDOW, pairCount);
}

/**
 * Ends the hash that {@link poseidonBegin} started: absorbs window felt 0 if `hasSingle` (an odd
 * number of values), and writes the hash to window felt 0.
 */
export function poseidonFinish(hasSingle: bool): void {
  Poseidon.finish(WINDOW, WINDOW, hasSingle);
}

/**
 * poseidon_hash_many of `listCount` lists. The window holds the lengths as u32, padded to a multiple of 32
 * bytes, then all values. Results overwrite the start of the window.
 */
export function poseidonManyBatch(listCount: u32): void {
  // A result of 32 bytes replaces 4 bytes of lengths, so results are first collected after the values to keep
  // unread input intact.
  const lengths = WINDOW;
  let at = WINDOW + ((((<usize>listCount) << 2) + 31) & ~31);
  let total: usize = 0;
  for (let i: u32 = 0; i < listCount; i++) total += load<u32>(lengths + ((<usize>i) << 2));
  const results = at + (total << 5);
  for (let i: u32 = 0; i < listCount; i++) {
    const length = load<u32>(lengths + ((<usize>i) << 2));
    Poseidon.hashMany(results + ((<usize>i) << 5), at, length);
    at += (<usize>length) << 5;
  }
  memory.copy(WINDOW, results, (<usize>listCount) << 5);
}

/** Starts Keccak-256: clears the state of the kernel's only such hash. */
export function keccakBegin(): void {
  Keccak.begin();
}

/**
 * Absorbs `count` blocks of 136 bytes, read from the start of the window, into the Keccak-256
 * state.
 */
export function keccakAbsorb(count: u32): void {
  Keccak.absorbBlocks(WINDOW, count);
}

/**
 * Absorbs the last `length` < 136 bytes of the message, and writes the 32 bytes of Keccak-256 to
 * the start of the window.
 */
export function keccakFinish(length: u32): void {
  Keccak.finish256(WINDOW, WINDOW, length);
}

/** Keccak-f[1600] in place on the 25 lanes of 64 bits at the start of the window. */
export function keccakPermute(): void {
  Keccak.permute(WINDOW);
}

/**
 * Folds `count` SHA-256 blocks of 16 words, from byte 32 of the window on, into the 8 state words
 * at byte 0.
 */
export function sha256Blocks(count: u32): void {
  for (let i: u32 = 0; i < count; i++) Sha256.compress(WINDOW, WINDOW + 32 + ((<usize>i) << 6));
}

/** Starts the Blake2s hash of felts in the encoding of compiled class hashes. */
export function blake2sBegin(): void {
  Blake2s.begin();
}

/**
 * Absorbs the first `count` felts of the window into the hash that {@link blake2sBegin} started.
 */
export function blake2sAbsorb(count: u32): void {
  Blake2s.absorbFelts(WINDOW, count);
}

/**
 * Ends the hash that {@link blake2sBegin} started, and writes the digest modulo P to window felt 0.
 */
export function blake2sFinish(): void {
  Blake2s.finish(WINDOW);
}

/**
 * Applies one BLAKE2s compression in place: 8 state words at byte 0 of the window, 16 message words
 * at byte 32.
 *
 * @param byteCount - number of message bytes up to the end of this block
 */
export function blake2sCompress(byteCount: u32, isLast: bool): void {
  Blake2s.compress(WINDOW, WINDOW + 32, byteCount, isLast);
}

/**
 * Reverses the bytes of each of the first `count` window felts: converts between big-endian and the
 * kernel's order.
 */
export function reverseBytes(count: u32): void {
  const end = WINDOW + ((<usize>count) << 5);
  for (let at = WINDOW; at < end; at += 32) {
    const a = load<u64>(at);
    const b = load<u64>(at, 8);
    const c = load<u64>(at, 16);
    const d = load<u64>(at, 24);
    Felt.set(at, bswap(d), bswap(c), bswap(b), bswap(a));
  }
}

/** Replaces window felt 0 by the product of window felts 0 and 1. */
export function feltMul(): void {
  Felt.mul(WINDOW, WINDOW, WINDOW + 32);
}

/** Replaces window felt 0 by the sum of window felts 0 and 1. */
export function feltAdd(): void {
  Felt.add(WINDOW, WINDOW, WINDOW + 32);
}

/** Replaces window felt 0 by window felt 0 minus window felt 1. */
export function feltSub(): void {
  Felt.sub(WINDOW, WINDOW, WINDOW + 32);
}

/** Replaces window felt 0 by its inverse in the field, or by 0 if it is 0. */
export function feltInv(): void {
  Felt.inv(WINDOW, WINDOW);
}

/** Replaces the 256-bit integer at the start of the window by its value modulo P. */
export function feltReduce(): void {
  Felt.reduce(WINDOW, WINDOW);
}

/** Replaces window felt 0 by its smaller square root. @returns `false` if it has none */
export function feltSqrt(): bool {
  return Felt.sqrt(WINDOW, WINDOW);
}

/** Whether the point with the coordinates in window felts 0 and 1 is on the Stark curve. */
export function ecIsOnCurve(): bool {
  return Ec.isOnCurve(WINDOW);
}

/**
 * Adds two points of the Stark curve, in window felts 0, 1 and 2, 3; writes the sum to window felts
 * 0, 1.
 */
export function ecAdd(): void {
  Ec.add(WINDOW, WINDOW, WINDOW + 64);
}

/**
 * Multiplies the Stark curve point in window felts 0, 1 by the integer at index 2; writes the
 * product to window felts 0, 1.
 */
export function ecMul(): void {
  Ec.mul(WINDOW, WINDOW, WINDOW + 64);
}

/**
 * Multiplies the generator of the Stark curve by the integer at window index 0; writes the product
 * to window felts 0, 1.
 */
export function ecMulGenerator(): void {
  Ec.mulGenerator(WINDOW, WINDOW);
}

/**
 * Computes the ec_op builtin: the point in window felts 0, 1 plus the integer at index 4 times the
 * point in window felts 2, 3; writes the result to window felts 0, 1.
 *
 * @returns an EcStatus; 0 is success
 */
export function ecOp(): u32 {
  return EcOp.run(WINDOW, WINDOW, WINDOW + 64, WINDOW + 128);
}

/**
 * Replaces the Stark curve point in window felts 0, 1 by its successor in the sequence of random
 * points.
 */
export function ecNextPoint(): void {
  Ec.nextPoint(WINDOW);
}

/**
 * Whether (r, s) in window felts 2 and 3 signs the hash in window felt 1 under the public key in
 * window felt 0.
 */
export function ecdsaVerify(): bool {
  return Ecdsa.verify(WINDOW, WINDOW + 32, WINDOW + 64, WINDOW + 96);
}

/** Replaces window felt 0, in [1, order of the curve), by its inverse modulo that order. */
export function scalarInv(): void {
  Scalar.inv(WINDOW, WINDOW);
}

/**
 * Raises the integer at window index 0 to the power of the one at index 1, modulo the odd integer
 * at index 2; index 3 holds 2^512 modulo it. Writes the result to index 0.
 */
export function power(): void {
  Power.begin(WINDOW + 64, WINDOW + 96);
  Power.raise(WINDOW, WINDOW, WINDOW + 32);
}

/**
 * Adds the points in window felts 0, 1 and 2, 3 of the curve y^2 = x^3 + a x + b, with a at index 4
 * and the prime at index 5; index 6 holds 2^512 modulo the prime. The point (0, 0) is infinity.
 * Writes the sum to indices 0, 1.
 */
export function shortCurveAdd(): void {
  ShortCurve.begin(WINDOW + 128, WINDOW + 160, WINDOW + 192);
  ShortCurve.add(WINDOW, WINDOW, WINDOW + 64);
}

/**
 * Writes, to window felts 0 and 1, the point at indices 0, 1 times the integer at 7 plus the point
 * at 2, 3 times the integer at 8; other arguments as for {@link shortCurveAdd}.
 */
export function shortCurveMulPair(): void {
  ShortCurve.begin(WINDOW + 128, WINDOW + 160, WINDOW + 192);
  ShortLadder.multiplyPair(WINDOW, WINDOW, WINDOW + 224, WINDOW + 64, WINDOW + 256);
}

/** Repeats the Montgomery product felt 0 = felt 0 * felt 1; for benchmarks. */
export function repeatMulMont(count: u32): void {
  for (let i: u32 = 0; i < count; i++) Felt.mulMont(WINDOW, WINDOW, WINDOW + 32);
}
