import { KernelError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { abortImport, compileKernel } from "./instance.ts";
import { FIELD_KERNEL_PATHS } from "./assets.ts";
import type { FieldExports } from "./exports.ts";
import { FeltWindow } from "./window.ts";

const FELT_BYTES = 32;
const KECCAK_BLOCK_BYTES = 136;
/** Values of a Pedersen chain between two pauses: some ten milliseconds. */
const CHAIN_PART = 1024;
/** Values of a Poseidon sponge between two pauses; even. */
const SPONGE_PART = 2048;

/** A point of the Stark curve; `{ x: 0n, y: 0n }` is the neutral element. */
export interface EcPoint {
  readonly x: Felt;
  readonly y: Felt;
}

/** Outcome of the ec_op builtin; every status but `ok` is an error of the Cairo run. */
export type EcOpResult =
  | { readonly status: "ok"; readonly point: EcPoint }
  | { readonly status: "firstNotOnCurve" | "secondNotOnCurve" | "sameX" };

const EC_OP_FAILURES = ["firstNotOnCurve", "secondNotOnCurve", "sameX"] as const;

/**
 * One instance of the field kernel with its window; not shared between threads.
 *
 * Arguments are canonical felts unless said otherwise: the caller checks, the kernel does not. A
 * crossing costs about 0.3 us with its conversions, so prefer the calls that take many values.
 */
export class FieldKernel {
  readonly #exports: FieldExports;
  readonly #window: FeltWindow;
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;

  /** @param module - a build of the field kernel; by default the one that fits this engine */
  constructor(module: WebAssembly.Module = compileKernel(FIELD_KERNEL_PATHS)) {
    let memory: WebAssembly.Memory | undefined;
    const imports = { env: { abort: abortImport(() => memory) } };
    const exports = new WebAssembly.Instance(module, imports).exports as unknown as FieldExports;
    memory = exports.memory;
    this.#exports = exports;
    const { buffer } = memory;
    const start = exports.window.value;
    const sizeBytes = exports.windowBytes.value;
    this.#window = new FeltWindow(new BigUint64Array(buffer, start, sizeBytes / 8));
    this.#bytes = new Uint8Array(buffer, start, sizeBytes);
    this.#words = new Uint32Array(buffer, start, sizeBytes / 4);
  }

  /** Pedersen hash; recent pairs are answered from a memo. */
  pedersen(a: Felt, b: Felt): Felt {
    this.#window.write(0, a);
    this.#window.write(1, b);
    this.#exports.pedersen();
    return this.#window.read(0);
  }

  /** Pedersen hashes of `[a0, b0, a1, b1, …]`, in order. */
  pedersenBatch(pairs: readonly Felt[]): Felt[] {
    return this.#mapPairs(pairs, this.#exports.pedersenBatch);
  }

  /** {@link pedersenBatch} over big-endian felts of 32 bytes. */
  pedersenBatchBytes(pairs: Uint8Array): Uint8Array {
    return this.#mapPairBytes(pairs, this.#exports.pedersenBatch);
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
    return this.#mapPairs(pairs, this.#exports.poseidonBatch);
  }

  /** {@link poseidonBatch} over big-endian felts of 32 bytes. */
  poseidonBatchBytes(pairs: Uint8Array): Uint8Array {
    return this.#mapPairBytes(pairs, this.#exports.poseidonBatch);
  }

  /** The Hades permutation of three felts. */
  poseidonPermute(a: Felt, b: Felt, c: Felt): [Felt, Felt, Felt] {
    this.#window.writeMany(0, [a, b, c], 0, 3);
    this.#exports.poseidonPermute();
    return [this.#window.read(0), this.#window.read(1), this.#window.read(2)];
  }

  /** Poseidon sponge over any number of values. */
  poseidonMany(values: readonly Felt[], pause?: () => void): Felt {
    this.#exports.poseidonBegin();
    const pairedCount = values.length & ~1;
    const step = Math.min(this.#window.capacity & ~1, SPONGE_PART);
    for (let from = 0; from < pairedCount; from += step) {
      if (from > 0) pause?.();
      const count = Math.min(step, pairedCount - from);
      this.#window.writeMany(0, values, from, count);
      this.#exports.poseidonAbsorb(count / 2);
    }
    const hasSingle = pairedCount < values.length;
    if (hasSingle) this.#window.writeMany(0, values, pairedCount, 1);
    this.#exports.poseidonFinish(hasSingle ? 1 : 0);
    return this.#window.read(0);
  }

  /** {@link poseidonMany} of each list, with few crossings when the lists are short. */
  poseidonManyBatch(lists: readonly (readonly Felt[])[]): Felt[] {
    const hashes: Felt[] = [];
    let from = 0;
    while (from < lists.length) {
      const end = this.#endOfBatch(lists, from);
      if (end === from) hashes.push(this.poseidonMany(lists[from++] ?? []));
      else {
        this.#poseidonLists(lists, from, end, hashes);
        from = end;
      }
    }
    return hashes;
  }

  /** How far lists from `from` on fit into the window together, beside lengths and results. */
  #endOfBatch(lists: readonly (readonly Felt[])[], from: number): number {
    let freeBytes = this.#bytes.length - FELT_BYTES;
    let end = from;
    for (; end < lists.length; end++) {
      freeBytes -= ((lists[end]?.length ?? 0) + 1) * FELT_BYTES + 4;
      if (freeBytes < 0) break;
    }
    return end;
  }

  #poseidonLists(
    lists: readonly (readonly Felt[])[],
    from: number,
    end: number,
    hashes: Felt[],
  ): void {
    const count = end - from;
    let at = Math.ceil((count * 4) / FELT_BYTES);
    for (let i = 0; i < count; i++) {
      const list = lists[from + i] ?? [];
      this.#words[i] = list.length;
      this.#window.writeMany(at, list, 0, list.length);
      at += list.length;
    }
    this.#exports.poseidonManyBatch(count);
    for (let i = 0; i < count; i++) hashes.push(this.#window.read(i));
  }

  /** Keccak-256 with the padding of Ethereum. */
  keccak256(data: Uint8Array): Uint8Array {
    this.#exports.keccakBegin();
    const wholeBlocks = Math.floor(data.length / KECCAK_BLOCK_BYTES);
    const blocksPerCall = Math.floor(this.#bytes.length / KECCAK_BLOCK_BYTES);
    for (let block = 0; block < wholeBlocks; block += blocksPerCall) {
      const count = Math.min(blocksPerCall, wholeBlocks - block);
      const from = block * KECCAK_BLOCK_BYTES;
      this.#bytes.set(data.subarray(from, from + count * KECCAK_BLOCK_BYTES));
      this.#exports.keccakAbsorb(count);
    }
    const rest = data.subarray(wholeBlocks * KECCAK_BLOCK_BYTES);
    this.#bytes.set(rest);
    this.#exports.keccakFinish(rest.length);
    return this.#bytes.slice(0, 32);
  }

  /** Keccak-f[1600] in place on 25 lanes. */
  keccakPermute(lanes: BigUint64Array): void {
    this.#window.limbs.set(lanes.subarray(0, 25));
    this.#exports.keccakPermute();
    lanes.set(this.#window.limbs.subarray(0, 25));
  }

  /** Folds blocks of 16 words into the 8 words of a SHA-256 state, in place. */
  sha256Compress(state: Uint32Array, blocks: Uint32Array): void {
    const blocksPerCall = Math.floor(this.#words.length / 16) - 1;
    this.#words.set(state.subarray(0, 8));
    for (let from = 0; from < blocks.length; from += blocksPerCall * 16) {
      const part = blocks.subarray(from, from + blocksPerCall * 16);
      this.#words.set(part, 8);
      this.#exports.sha256Blocks(Math.floor(part.length / 16));
    }
    state.set(this.#words.subarray(0, 8));
  }

  /** One BLAKE2s compression in place; `byteCount` counts up to the end of this block. */
  blake2sCompress(
    state: Uint32Array,
    block: Uint32Array,
    byteCount: number,
    isLast: boolean,
  ): void {
    this.#words.set(state.subarray(0, 8));
    this.#words.set(block.subarray(0, 16), 8);
    this.#exports.blake2sCompress(byteCount, isLast ? 1 : 0);
    state.set(this.#words.subarray(0, 8));
  }

  /** Blake2s of felts in the encoding of compiled class hashes (protocol 0.14.1 on). */
  blake2sFelts(values: readonly Felt[]): Felt {
    this.#exports.blake2sBegin();
    for (let from = 0; from < values.length; from += this.#window.capacity) {
      const count = Math.min(this.#window.capacity, values.length - from);
      this.#window.writeMany(0, values, from, count);
      this.#exports.blake2sAbsorb(count);
    }
    this.#exports.blake2sFinish();
    return this.#window.read(0);
  }

  /** Product modulo P; for single products `a * b % P` on the host is as fast. */
  mul(a: Felt, b: Felt): Felt {
    return this.#binary(a, b, this.#exports.feltMul);
  }

  /** Sum modulo P. */
  add(a: Felt, b: Felt): Felt {
    return this.#binary(a, b, this.#exports.feltAdd);
  }

  /** Difference modulo P. */
  sub(a: Felt, b: Felt): Felt {
    return this.#binary(a, b, this.#exports.feltSub);
  }

  /** 1 / a modulo P, and 0 for 0. */
  inverse(a: Felt): Felt {
    this.#window.write(0, a);
    this.#exports.feltInv();
    return this.#window.read(0);
  }

  /** Any integer of 256 bits modulo P. */
  reduce(value: bigint): Felt {
    this.#window.write(0, value);
    this.#exports.feltReduce();
    return this.#window.read(0);
  }

  /** The smaller square root, or `undefined` when there is none. */
  squareRoot(a: Felt): Felt | undefined {
    this.#window.write(0, a);
    return this.#exports.feltSqrt() === 0 ? undefined : this.#window.read(0);
  }

  /** Whether y^2 = x^3 + x + beta; false for the neutral element. */
  isOnCurve(point: EcPoint): boolean {
    this.#writePoint(0, point);
    return this.#exports.ecIsOnCurve() !== 0;
  }

  /** Sum of two points of the curve. */
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
    const status = EC_OP_FAILURES[this.#exports.ecOp() - 1];
    return status === undefined ? { status: "ok", point: this.#readPoint() } : { status };
  }

  /** The point that follows in the sequence of a run's random points: by a fixed, unrelated step. */
  nextPoint(point: EcPoint): EcPoint {
    this.#writePoint(0, point);
    this.#exports.ecNextPoint();
    return this.#readPoint();
  }

  /** ECDSA with the bounds of StarkEx; `key` is an x coordinate. */
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

  /** Runs `count` dependent Montgomery products; only benchmarks need it. */
  repeatMultiplication(count: number): void {
    this.#window.write(0, 3n);
    this.#window.write(1, 5n);
    this.#exports.repeatMulMont(count);
  }

  #binary(a: Felt, b: Felt, operation: () => void): Felt {
    this.#window.write(0, a);
    this.#window.write(1, b);
    operation();
    return this.#window.read(0);
  }

  #mapPairs(pairs: readonly Felt[], operation: (count: number) => void): Felt[] {
    if (pairs.length % 2 !== 0) throw oddLength(pairs.length);
    const hashes: Felt[] = [];
    for (let from = 0; from < pairs.length; from += this.#window.capacity) {
      const count = Math.min(this.#window.capacity, pairs.length - from);
      this.#window.writeMany(0, pairs, from, count);
      operation(count / 2);
      for (let i = 0; i < count / 2; i++) hashes.push(this.#window.read(i));
    }
    return hashes;
  }

  #mapPairBytes(pairs: Uint8Array, operation: (count: number) => void): Uint8Array {
    if (pairs.length % (2 * FELT_BYTES) !== 0) throw oddLength(pairs.length / FELT_BYTES);
    const hashes = new Uint8Array(pairs.length / 2);
    for (let from = 0; from < pairs.length; from += this.#bytes.length) {
      const part = pairs.subarray(from, from + this.#bytes.length);
      this.#bytes.set(part);
      const pairCount = part.length / (2 * FELT_BYTES);
      this.#exports.reverseBytes(2 * pairCount);
      operation(pairCount);
      this.#exports.reverseBytes(pairCount);
      hashes.set(this.#bytes.subarray(0, part.length / 2), from / 2);
    }
    return hashes;
  }

  #writePoint(index: number, point: EcPoint): void {
    this.#window.write(index, point.x);
    this.#window.write(index + 1, point.y);
  }

  #readPoint(): EcPoint {
    return { x: this.#window.read(0), y: this.#window.read(1) };
  }
}

function oddLength(count: number): KernelError {
  return new KernelError("KERNEL_ARGUMENT", "pairs of felts expected", { meta: { count } });
}
