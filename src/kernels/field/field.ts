import type { Felt } from "#base/primitives/index.ts";
import { EC_OP_STATUSES, type EcOpStatus } from "./abi.ts";
import { FIELD_KERNEL_PATHS } from "./assets.ts";
import { createFieldCalls, type FieldCalls } from "./calls.ts";
import {
  blake2sCompress,
  blake2sFelts,
  keccak256,
  keccakPermute,
  sha256Compress,
} from "./digests.ts";
import type { FieldExports } from "./exports.ts";
import { compileKernel } from "./instance.ts";
import { mapPairBytes, mapPairs } from "./pairs.ts";
import { poseidonMany, poseidonManyBatch } from "./poseidon.ts";
import { shortCurveAdd, shortCurveMultiplyPair } from "./short-curve.ts";
import type { CurveParameters, CurvePoint, CurveTerm } from "./short-curve.ts";
import type { FeltWindow } from "./window.ts";

/** Number of values of a Pedersen chain between two pauses: about ten milliseconds. */
const CHAIN_PART = 1024;

/** Point of the Stark curve; `{ x: 0n, y: 0n }` is the neutral element. */
export interface EcPoint {
  readonly x: Felt;
  readonly y: Felt;
}

/** Outcome of the ec_op builtin; every status except `ok` is an error of the Cairo run. */
export type EcOpResult =
  | { readonly status: "ok"; readonly point: EcPoint }
  | { readonly status: Exclude<EcOpStatus, "ok"> };

/**
 * Instance of the field kernel with its window; not shared between threads.
 *
 * Arguments are canonical felts unless noted otherwise: the caller checks, the kernel does not. A call costs
 * about 0.3 us with its conversions, so prefer the calls that take many values.
 */
export class FieldKernel {
  readonly #calls: FieldCalls;
  readonly #exports: FieldExports;
  readonly #window: FeltWindow;

  /** @param module - a build of the field kernel; default: the one that fits this engine */
  constructor(module: WebAssembly.Module = compileKernel(FIELD_KERNEL_PATHS)) {
    this.#calls = createFieldCalls(module);
    this.#exports = this.#calls.exports;
    this.#window = this.#calls.window;
  }

  /** Pedersen hash; recent pairs are cached. */
  pedersen(a: Felt, b: Felt): Felt {
    this.#window.write(0, a);
    this.#window.write(1, b);
    this.#exports.pedersen();
    return this.#window.read(0);
  }

  /** Pedersen hashes of `[a0, b0, a1, b1, …]`, in order. */
  pedersenBatch(pairs: readonly Felt[]): Felt[] {
    return mapPairs(this.#calls, pairs, this.#exports.pedersenBatch);
  }

  /** {@link pedersenBatch} over big-endian felts of 32 bytes. */
  pedersenBatchBytes(pairs: Uint8Array): Uint8Array {
    return mapPairBytes(this.#calls, pairs, this.#exports.pedersenBatch);
  }

  /**
   * acc = h(acc, v) over all values, from `start`.
   *
   * @param pause - called between parts of {@link CHAIN_PART} values; may throw, and must not hash
   */
  pedersenChain(start: Felt, values: readonly Felt[], pause?: () => void): Felt {
    this.#window.write(0, start);
    const step = Math.min(this.#window.capacity - 1, CHAIN_PART);
    for (let from = 0; from < values.length; from += step) {
      if (from > 0) pause?.();
      const count = Math.min(step, values.length - from);
      this.#window.writeMany(1, values, from, count);
      this.#exports.pedersenChain(count);
    }
    return this.#window.read(0);
  }

  /** First element of the Poseidon permutation of (a, b, 2). */
  poseidon(a: Felt, b: Felt): Felt {
    this.#window.write(0, a);
    this.#window.write(1, b);
    this.#exports.poseidon();
    return this.#window.read(0);
  }

  /** First element of the Poseidon permutation of (a, 0, 1). */
  poseidonSingle(a: Felt): Felt {
    this.#window.write(0, a);
    this.#exports.poseidonSingle();
    return this.#window.read(0);
  }

  /** {@link poseidon} of `[a0, b0, a1, b1, …]`, in order. */
  poseidonBatch(pairs: readonly Felt[]): Felt[] {
    return mapPairs(this.#calls, pairs, this.#exports.poseidonBatch);
  }

  /** {@link poseidonBatch} over big-endian felts of 32 bytes. */
  poseidonBatchBytes(pairs: Uint8Array): Uint8Array {
    return mapPairBytes(this.#calls, pairs, this.#exports.poseidonBatch);
  }

  poseidonPermute(a: Felt, b: Felt, c: Felt): [Felt, Felt, Felt] {
    this.#window.writeMany(0, [a, b, c], 0, 3);
    this.#exports.poseidonPermute();
    return [this.#window.read(0), this.#window.read(1), this.#window.read(2)];
  }

  /** Poseidon sponge over any number of values. @param pause - see {@link pedersenChain} */
  poseidonMany(values: readonly Felt[], pause?: () => void): Felt {
    return poseidonMany(this.#calls, values, pause);
  }

  /** {@link poseidonMany} of each list; short lists share kernel calls. */
  poseidonManyBatch(lists: readonly (readonly Felt[])[]): Felt[] {
    return poseidonManyBatch(this.#calls, lists);
  }

  /** Keccak-256 with Ethereum's padding. */
  keccak256(data: Uint8Array): Uint8Array {
    return keccak256(this.#calls, data);
  }

  /** Keccak-f[1600] in place on 25 lanes. */
  keccakPermute(lanes: BigUint64Array): void {
    keccakPermute(this.#calls, lanes);
  }

  /** Folds blocks of 16 words into the 8 words of a SHA-256 state, in place. */
  sha256Compress(state: Uint32Array, blocks: Uint32Array): void {
    sha256Compress(this.#calls, state, blocks);
  }

  /** One BLAKE2s compression in place; `byteCount` counts up to the end of this block. */
  blake2sCompress(
    state: Uint32Array,
    block: Uint32Array,
    byteCount: number,
    isLast: boolean,
  ): void {
    blake2sCompress(this.#calls, state, block, byteCount, isLast);
  }

  /** Blake2s of felts in the encoding of compiled class hashes (since protocol 0.14.1). */
  blake2sFelts(values: readonly Felt[]): Felt {
    return blake2sFelts(this.#calls, values);
  }

  /** Product modulo P; for single products `a * b % P` on the host is equally fast. */
  mul(a: Felt, b: Felt): Felt {
    return this.#binary(a, b, this.#exports.feltMul);
  }

  add(a: Felt, b: Felt): Felt {
    return this.#binary(a, b, this.#exports.feltAdd);
  }

  sub(a: Felt, b: Felt): Felt {
    return this.#binary(a, b, this.#exports.feltSub);
  }

  /** 1 / a modulo P; 0 for 0. */
  inverse(a: Felt): Felt {
    this.#window.write(0, a);
    this.#exports.feltInv();
    return this.#window.read(0);
  }

  /** Reduces any 256-bit integer modulo P. */
  reduce(value: bigint): Felt {
    this.#window.write(0, value);
    this.#exports.feltReduce();
    return this.#window.read(0);
  }

  /** Smaller square root, or `undefined` if `a` is not a square. */
  squareRoot(a: Felt): Felt | undefined {
    this.#window.write(0, a);
    return this.#exports.feltSqrt() === 0 ? undefined : this.#window.read(0);
  }

  /** Whether y^2 = x^3 + x + beta; `false` for the neutral element. */
  isOnCurve(point: EcPoint): boolean {
    this.#writePoint(0, point);
    return this.#exports.ecIsOnCurve() !== 0;
  }

  addPoints(p: EcPoint, q: EcPoint): EcPoint {
    this.#writePoint(0, p);
    this.#writePoint(2, q);
    this.#exports.ecAdd();
    return this.#readPoint();
  }

  /** A point of the curve times an integer of at most 256 bits. */
  mulPoint(point: EcPoint, scalar: bigint): EcPoint {
    this.#writePoint(0, point);
    this.#window.write(2, scalar);
    this.#exports.ecMul();
    return this.#readPoint();
  }

  /** The generator times an integer of at most 256 bits. */
  mulGenerator(scalar: bigint): EcPoint {
    this.#window.write(0, scalar);
    this.#exports.ecMulGenerator();
    return this.#readPoint();
  }

  /** p + m * q with the failures of the ec_op builtin (its AIR cannot add points of equal x). */
  ecOp(p: EcPoint, q: EcPoint, m: Felt): EcOpResult {
    this.#writePoint(0, p);
    this.#writePoint(2, q);
    this.#window.write(4, m);
    const status = EC_OP_STATUSES[this.#exports.ecOp()] ?? "sameX";
    return status === "ok" ? { status, point: this.#readPoint() } : { status };
  }

  /** Successor of a point in a run's sequence of random points, at a fixed, unrelated distance. */
  nextPoint(point: EcPoint): EcPoint {
    this.#writePoint(0, point);
    this.#exports.ecNextPoint();
    return this.#readPoint();
  }

  /** ECDSA verification with the bounds of StarkEx; `key` is an x coordinate. */
  verify(key: Felt, hash: Felt, r: Felt, s: Felt): boolean {
    this.#window.writeMany(0, [key, hash, r, s], 0, 4);
    return this.#exports.ecdsaVerify() !== 0;
  }

  /** 1 / a modulo the order of the curve, for a in [1, order). */
  inverseScalar(a: bigint): bigint {
    this.#window.write(0, a);
    this.#exports.scalarInv();
    return this.#window.read(0);
  }

  /**
   * base^exponent modulo any odd number below 2^256.
   *
   * @param base - below the modulus
   * @param exponent - at most 256 bits
   * @param r2 - 2^512 modulo the modulus
   */
  power(base: bigint, exponent: bigint, modulus: bigint, r2: bigint): bigint {
    this.#window.writeMany(0, [base, exponent, modulus, r2], 0, 4);
    this.#exports.power();
    return this.#window.read(0);
  }

  shortCurveAdd(curve: CurveParameters, p: CurvePoint, q: CurvePoint): CurvePoint {
    return shortCurveAdd(this.#calls, curve, p, q);
  }

  shortCurveMultiplyPair(curve: CurveParameters, first: CurveTerm, second: CurveTerm): CurvePoint {
    return shortCurveMultiplyPair(this.#calls, curve, first, second);
  }

  /** Runs `count` dependent Montgomery products; for benchmarks only. */
  repeatMultiplication(count: number): void {
    this.#window.writeMany(0, [3n, 5n], 0, 2);
    this.#exports.repeatMulMont(count);
  }

  #binary(a: Felt, b: Felt, operation: () => void): Felt {
    this.#window.write(0, a);
    this.#window.write(1, b);
    operation();
    return this.#window.read(0);
  }

  #writePoint(index: number, point: EcPoint): void {
    this.#window.write(index, point.x);
    this.#window.write(index + 1, point.y);
  }

  #readPoint(): EcPoint {
    return { x: this.#window.read(0), y: this.#window.read(1) };
  }
}
