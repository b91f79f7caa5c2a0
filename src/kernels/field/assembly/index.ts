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

/** Address of the window. */
export const window: usize = WINDOW;

/** Fingerprint of the ABI that the kernel was built with. */
export const abi: u32 = ABI_FINGERPRINT;

/** result[0] = H(0, 1); recent pairs are cached. */
export function pedersen(): void {
  Pedersen.hash(WINDOW, WINDOW, WINDOW + 32);
}

/** result[i] = H(2 i, 2 i + 1) for i < count, without the cache. */
export function pedersenBatch(count: u32): void {
  Pedersen.hashBatch(WINDOW, WINDOW, count);
}

/** Folds `count` values from felt 1 on into the accumulator, felt 0: acc = H(acc, value). */
export function pedersenChain(count: u32): void {
  for (let i: u32 = 1; i <= count; i++) Pedersen.hash(WINDOW, WINDOW, WINDOW + ((<usize>i) << 5));
}

/** result[0] = poseidon_hash(0, 1). */
export function poseidon(): void {
  Poseidon.hash(WINDOW, WINDOW, WINDOW + 32);
}

/** result[0] = poseidon_hash_single(0). */
export function poseidonSingle(): void {
  Poseidon.hashSingle(WINDOW, WINDOW);
}

/** Applies the Poseidon permutation to felts 0, 1, 2 in place. */
export function poseidonPermute(): void {
  Poseidon.permute(WINDOW);
}

/** result[i] = poseidon_hash(2 i, 2 i + 1) for i < count. */
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

/** Absorbs felts 0 to 2 `pairCount` - 1, in pairs, into the hash that {@link poseidonBegin} started. */
export function poseidonAbsorb(pairCount: u32): void {
  Poseidon.absorbPairs(WINDOW, pairCount);
}

/** Ends that hash: absorbs felt 0 if `hasSingle` (an odd number of values); result[0] = the hash. */
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

/** Absorbs `count` blocks of 136 bytes from the start of the window. */
export function keccakAbsorb(count: u32): void {
  Keccak.absorbBlocks(WINDOW, count);
}

/** Absorbs the last `length` < 136 bytes of the message; result = 32 bytes of Keccak-256. */
export function keccakFinish(length: u32): void {
  Keccak.finish256(WINDOW, WINDOW, length);
}

/** Keccak-f[1600] in place on the 25 lanes of 64 bits at the start of the window. */
export function keccakPermute(): void {
  Keccak.permute(WINDOW);
}

/** Folds `count` SHA-256 blocks of 16 words, from byte 32 on, into the 8 state words at byte 0. */
export function sha256Blocks(count: u32): void {
  for (let i: u32 = 0; i < count; i++) Sha256.compress(WINDOW, WINDOW + 32 + ((<usize>i) << 6));
}

/** Starts the Blake2s hash of felts in the encoding of compiled class hashes. */
export function blake2sBegin(): void {
  Blake2s.begin();
}

/** Absorbs the first `count` felts of the window into that hash. */
export function blake2sAbsorb(count: u32): void {
  Blake2s.absorbFelts(WINDOW, count);
}

/** result[0] = the digest modulo P. */
export function blake2sFinish(): void {
  Blake2s.finish(WINDOW);
}

/**
 * BLAKE2s compression in place: 8 state words at byte 0, 16 message words at byte 32.
 *
 * @param byteCount - number of message bytes up to the end of this block
 */
export function blake2sCompress(byteCount: u32, isLast: bool): void {
  Blake2s.compress(WINDOW, WINDOW + 32, byteCount, isLast);
}

/** Reverses the bytes of the first `count` felts: converts between big-endian and the kernel's order. */
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

/** result = felt 0 * felt 1. */
export function feltMul(): void {
  Felt.mul(WINDOW, WINDOW, WINDOW + 32);
}

/** result = felt 0 + felt 1. */
export function feltAdd(): void {
  Felt.add(WINDOW, WINDOW, WINDOW + 32);
}

/** result = felt 0 - felt 1. */
export function feltSub(): void {
  Felt.sub(WINDOW, WINDOW, WINDOW + 32);
}

/** result = 1 / felt 0, 0 for 0. */
export function feltInv(): void {
  Felt.inv(WINDOW, WINDOW);
}

/** result = the 256-bit integer at 0 modulo P. */
export function feltReduce(): void {
  Felt.reduce(WINDOW, WINDOW);
}

/** result = the smaller square root of felt 0; returns `false` if it has none. */
export function feltSqrt(): bool {
  return Felt.sqrt(WINDOW, WINDOW);
}

/** Whether the point at felts 0, 1 is on the curve. */
export function ecIsOnCurve(): bool {
  return Ec.isOnCurve(WINDOW);
}

/** result = point at 0, 1 plus point at 2, 3. */
export function ecAdd(): void {
  Ec.add(WINDOW, WINDOW, WINDOW + 64);
}

/** result = point at 0, 1 times the integer at 2. */
export function ecMul(): void {
  Ec.mul(WINDOW, WINDOW, WINDOW + 64);
}

/** result = generator times the integer at 0. */
export function ecMulGenerator(): void {
  Ec.mulGenerator(WINDOW, WINDOW);
}

/** ec_op: result = point at 0, 1 plus (integer at 4) times point at 2, 3. @returns an EcStatus; 0 is success */
export function ecOp(): u32 {
  return EcOp.run(WINDOW, WINDOW, WINDOW + 64, WINDOW + 128);
}

/** result = the successor of the point at 0, 1 in the sequence of random points. */
export function ecNextPoint(): void {
  Ec.nextPoint(WINDOW);
}

/** Whether (felt 2, felt 3) signs hash felt 1 under the key felt 0. */
export function ecdsaVerify(): bool {
  return Ecdsa.verify(WINDOW, WINDOW + 32, WINDOW + 64, WINDOW + 96);
}

/** result = 1 / felt 0 modulo the order of the curve; felt 0 in [1, order). */
export function scalarInv(): void {
  Scalar.inv(WINDOW, WINDOW);
}

/** result = (integer 0)^(integer 1) modulo the odd integer 2; integer 3 is 2^512 modulo it. */
export function power(): void {
  Power.begin(WINDOW + 64, WINDOW + 96);
  Power.raise(WINDOW, WINDOW, WINDOW + 32);
}

/**
 * result = point at 0, 1 plus point at 2, 3 of the curve y^2 = x^3 + a x + b with a at 4 over the prime
 * at 5; integer 6 is 2^512 modulo it. The point (0, 0) is infinity.
 */
export function shortCurveAdd(): void {
  ShortCurve.begin(WINDOW + 128, WINDOW + 160, WINDOW + 192);
  ShortCurve.add(WINDOW, WINDOW, WINDOW + 64);
}

/**
 * result = point at 0, 1 times the integer at 7 plus point at 2, 3 times the integer at 8; other arguments as
 * for {@link shortCurveAdd}.
 */
export function shortCurveMulPair(): void {
  ShortCurve.begin(WINDOW + 128, WINDOW + 160, WINDOW + 192);
  ShortLadder.multiplyPair(WINDOW, WINDOW, WINDOW + 224, WINDOW + 64, WINDOW + 256);
}

/** Repeats the Montgomery product felt 0 = felt 0 * felt 1; for benchmarks. */
export function repeatMulMont(count: u32): void {
  for (let i: u32 = 0; i < count; i++) Felt.mulMont(WINDOW, WINDOW, WINDOW + 32);
}
