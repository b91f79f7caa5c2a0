import { expect, test } from "bun:test";
import { pedersen as oracle } from "@scure/starknet";
import fc from "fast-check";
import { FieldKernel } from "#kernels/field/index.ts";
import { bytesFromFelt, feltFromBytes } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { P } from "#test/helpers/reference/field.ts";
import { describeBuilds, felts, fieldModule } from "./builds.ts";

/** starkware-libs/crypto-cpp, src/starkware/crypto/pedersen_hash_test.cc (Apache-2.0). */
const VECTORS = [
  {
    a: 0x3d937c035c878245caf64531a5756109c53068da139362728feb561405371cbn,
    b: 0x208a0a10250e382e1e4bbe2880906c2791bf6275695e02fbbc6aeff9cd8b31an,
    hash: 0x30e480bed5fe53fa909cc0f8c4d99b8f9f2c016be4c41e13a4848797979c662n,
  },
  {
    a: 0x58f580910a6ca59b28927c08fe6c43e2e303ca384badc365795fc645d479d45n,
    b: 0x78734f65a067be9bdb39de18434d71e79f7b6466a4b66bbd979ab9e7515fe0bn,
    hash: 0x68cc0b76cddd1dd4ed2301ada9b7c872b23875d5ff837b3a87993e0d9996b87n,
  },
];

const expected = (a: bigint, b: bigint): bigint => BigInt(oracle(a, b));
const pairLists = (max: number) =>
  fc.array(fc.tuple(felts, felts), { maxLength: max }).map((pairs) => pairs.flat());

describeBuilds("Pedersen hash", (kernel) => {
  test("equals the published vectors", () => {
    for (const { a, b, hash } of VECTORS) expect(kernel.pedersen(a, b)).toBe(hash);
  });

  test("equals @scure/starknet", () => {
    assertProperty(
      fc.property(felts, felts, (a, b) => {
        expect(kernel.pedersen(a, b)).toBe(expected(a, b));
      }),
      { numRuns: 30 },
    );
  });

  test("gives the same answer from the memo", () => {
    assertProperty(
      fc.property(felts, felts, (a, b) => {
        expect(kernel.pedersen(a, b)).toBe(kernel.pedersen(a, b));
      }),
      { numRuns: 30 },
    );
  });

  test("hashes batches like single pairs", () => {
    assertProperty(
      fc.property(pairLists(70), (pairs) => {
        const single: bigint[] = [];
        for (let i = 0; i < pairs.length; i += 2) {
          single.push(kernel.pedersen(pairs[i] ?? 0n, pairs[i + 1] ?? 0n));
        }
        expect(kernel.pedersenBatch(pairs)).toEqual(single);
      }),
      { numRuns: 20 },
    );
  });

  test("hashes batches of big-endian bytes", () => {
    const pairs = VECTORS.flatMap(({ a, b }) => [a, b]);
    const bytes = new Uint8Array(pairs.flatMap((felt) => [...bytesFromFelt(felt)]));
    const hashes = kernel.pedersenBatchBytes(bytes);
    expect(feltFromBytes(hashes.subarray(0, 32))).toBe(VECTORS[0]?.hash ?? 0n);
    expect(feltFromBytes(hashes.subarray(32))).toBe(VECTORS[1]?.hash ?? 0n);
  });

  test("folds a chain from the left", () => {
    const [a, b, c] = [5n, P - 1n, 1n << 200n];
    const folded = kernel.pedersen(kernel.pedersen(kernel.pedersen(7n, a), b), c);
    expect(kernel.pedersenChain(7n, [a, b, c])).toBe(folded);
  });

  test("refuses half a pair", () => {
    expect(() => kernel.pedersenBatch([1n])).toThrow("pairs of felts expected");
  });
});

test("Pedersen hashes do not change when the wide tables replace the narrow ones", () => {
  const kernel = new FieldKernel(fieldModule("wide"));
  const pairs: bigint[] = [];
  for (let i = 0n; i < 20n; i++) pairs.push((i * i * P) / 401n, P - 1n - i * 0x1111111111111111n);
  const narrow = kernel.pedersenBatch(pairs);
  for (let i = 0; i < 10; i++) kernel.pedersenBatch(pairs);
  expect(kernel.pedersenBatch(pairs)).toEqual(narrow);
});

test("Pedersen batches longer than the window are complete and in order", () => {
  const kernel = new FieldKernel(fieldModule("wide"));
  const pairs = Array.from({ length: 9000 }, (_, i) => BigInt(i % 600));
  const hashes = kernel.pedersenBatch(pairs);
  expect(hashes).toHaveLength(4500);
  expect(hashes[4499]).toBe(kernel.pedersen(598n, 599n));
  expect(hashes.slice(300, 600)).toEqual(hashes.slice(0, 300));
});
