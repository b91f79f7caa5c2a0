import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { hash } from "starknet";
import { keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { callBench, type BenchFunction } from "../../helpers/bench-contract.ts";

const WORD = 2n ** 128n;
const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ROUNDS = 7;

const vm = createCairoVm();
const call = (name: BenchFunction, rounds: number): readonly bigint[] =>
  callBench(name, rounds, vm).retdata;

const split = (value: bigint): bigint[] => [value % WORD, value / WORD];

/** Applies `step` for n = rounds, ..., 1. */
function repeat<T>(first: T, rounds: number, step: (value: T, n: number) => T): T {
  let value = first;
  for (let n = rounds; n > 0; n--) value = step(value, n);
  return value;
}

function keccakLittleEndian(value: bigint): bigint {
  const bytes = Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
  return BigInt(`0x${Buffer.from(keccak256(bytes, "bytes")).reverse().toString("hex")}`);
}

function sha256Word(seed: number, n: number): number {
  const words = Buffer.alloc(32);
  for (const [i, word] of [seed, n, 2, 3, 4, 5, 6, 7].entries()) words.writeUInt32BE(word, 4 * i);
  return createHash("sha256").update(words).digest().readUInt32BE(0);
}

describe("the benchmark contract", () => {
  test("fib computes Fibonacci numbers in the field", () => {
    expect(call("fib", 10)).toEqual([55n]);
    const [expected] = repeat<[bigint, bigint]>([0n, 1n], 1000, ([a, b]) => [b, (a + b) % PRIME]);
    expect(call("fib", 1000)).toEqual([expected]);
  });

  test("pedersen and poseidon compute hash chains", () => {
    const pedersen = repeat("0x0", ROUNDS, (last, n) => hash.computePedersenHash(last, BigInt(n)));
    expect(call("pedersen", ROUNDS)).toEqual([BigInt(pedersen)]);
    const poseidon = repeat("0x0", ROUNDS, (last, n) => hash.computePoseidonHash(last, BigInt(n)));
    expect(call("poseidon", ROUNDS)).toEqual([BigInt(poseidon)]);
  });

  test("poseidon_span hashes many felts", () => {
    const felts = Array.from({ length: ROUNDS }, (_, i) => BigInt(ROUNDS - i));
    const expected = BigInt(hash.computePoseidonHashOnElements(felts));
    expect(call("poseidon_span", ROUNDS)).toEqual([expected]);
  });

  test("u256_mul multiplies modulo 2^256", () => {
    const factor = 0x123456789abcdef0123456789abcdef1fedcba9876543210fedcba9876543211n;
    const expected = repeat(factor, ROUNDS, (product) => (product * factor) % 2n ** 256n);
    expect(call("u256_mul", ROUNDS)).toEqual(split(expected));
  });

  test("dict reads and writes cyclic keys", () => {
    const rounds = 2500;
    const values = new Map<number, bigint>();
    let value = 1n;
    for (let i = 0; i < rounds; i++) {
      const key = i % 1024;
      const old = values.get(key) ?? 0n;
      values.set(key, (old + value) % PRIME);
      value = (old + BigInt(rounds - i)) % PRIME;
    }
    expect(call("dict", rounds)).toEqual([values.get(1) ?? 0n]);
  });

  test("keccak and sha256 compute hash chains", () => {
    expect(call("keccak", ROUNDS)).toEqual(split(repeat(1n, ROUNDS, keccakLittleEndian)));
    expect(call("sha256", ROUNDS)).toEqual([BigInt(repeat(0, ROUNDS, sha256Word))]);
  });

  test("secp256k1 multiplies and adds points", () => {
    const scalar = 0x7fffffffffffffff0123456789abcdeffedcba9876543210fedcba9876543210n;
    const multiple = repeat(1n, ROUNDS, (last) => (last * scalar + 1n) % SECP256K1_ORDER);
    const key = multiple.toString(16).padStart(64, "0");
    const point = privateKeyToAccount(`0x${key}`).publicKey.slice(4);
    const expected = [point.slice(0, 64), point.slice(64)].map((hex) => split(BigInt(`0x${hex}`)));
    expect(call("secp256k1", ROUNDS)).toEqual(expected.flat());
  });

  test("array computes a sum, and structs ends without a panic", () => {
    expect(call("array", 100)).toEqual([5050n]);
    expect(call("structs", 0)).toEqual([5n]);
    // The first struct, changed: x = 4, weight = 12.
    expect(call("structs", 3)).toEqual([16n]);
  });
});
