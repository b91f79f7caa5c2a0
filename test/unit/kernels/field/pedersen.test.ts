import { describe, expect, test } from "bun:test";
import { pedersen as oracle } from "@scure/starknet";
import fc from "fast-check";
import { FieldKernel } from "#kernels/field/index.ts";
import { bytesFromFelt, feltFromBytes } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { P } from "#test/helpers/reference/field.ts";
import {
  describeBuilds,
  EDGES,
  felts,
  type FieldForm,
  fieldModule,
  TESTED_FORMS,
} from "./builds.ts";

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

  test("gives the same result from its cache", () => {
    assertProperty(
      fc.property(felts, felts, (a, b) => {
        expect(kernel.pedersen(a, b)).toBe(kernel.pedersen(a, b));
      }),
      { numRuns: 30 },
    );
  });

  test("hashes a batch like single pairs", () => {
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

  test("hashes a batch of big-endian bytes", () => {
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

  test("rejects half a pair", () => {
    expect(() => kernel.pedersenBatch([1n])).toThrow("pairs of felts expected");
  });
});

/** All pairs of edges. */
const EDGE_PAIRS = EDGES.flatMap((a) => EDGES.flatMap((b) => [a, b]));

/** A kernel that has hashed enough batches to use its widest tables. */
function warmKernel(form: FieldForm): FieldKernel {
  const kernel = new FieldKernel(fieldModule(form));
  const pairs = Array.from({ length: 4096 }, (_, i) => BigInt(i));
  for (let i = 0; i < 3; i++) kernel.pedersenBatch(pairs);
  return kernel;
}

describe.each(TESTED_FORMS)("Pedersen tables (%s build)", (form) => {
  const wide = warmKernel(form);

  test("the widest tables give the published hashes", () => {
    for (const { a, b, hash } of VECTORS) {
      expect(wide.pedersen(a, b)).toBe(hash);
      expect(wide.pedersenBatch([a, b, b, a])).toEqual([hash, expected(b, a)]);
    }
  });

  test("the widest tables give the hashes of @scure/starknet", () => {
    assertProperty(
      fc.property(fc.array(felts, { minLength: 8, maxLength: 8 }), (pairs) => {
        const hashes = [0, 2, 4, 6].map((i) => expected(pairs[i] ?? 0n, pairs[i + 1] ?? 0n));
        expect(wide.pedersenBatch(pairs)).toEqual(hashes);
      }),
      { numRuns: 10 },
    );
  });

  test("all tables agree on the edges, in batches and single", () => {
    const hashes = wide.pedersenBatch(EDGE_PAIRS);
    const middle = new FieldKernel(fieldModule(form));
    for (let i = 0; i < EDGE_PAIRS.length; i += 2) {
      expect(middle.pedersen(EDGE_PAIRS[i] ?? 0n, EDGE_PAIRS[i + 1] ?? 0n)).toBe(
        hashes[i / 2] ?? 0n,
      );
    }
    expect(middle.pedersenBatch(EDGE_PAIRS)).toEqual(hashes);
    for (let from = 0; from < EDGE_PAIRS.length; from += 400) {
      const narrow = new FieldKernel(fieldModule(form));
      const part = EDGE_PAIRS.slice(from, from + 400);
      expect(narrow.pedersenBatch(part)).toEqual(hashes.slice(from / 2, from / 2 + 200));
    }
  });

  test("a hash does not depend on its neighbours in the batch", () => {
    const hashes = wide.pedersenBatch(EDGE_PAIRS);
    const hashOf = new Map(hashes.map((hash, i) => [pairName(EDGE_PAIRS, 2 * i), hash]));
    const indexes = fc.integer({ min: 0, max: hashes.length - 1 });
    assertProperty(
      fc.property(fc.array(indexes, { maxLength: 300, size: "max" }), (order) => {
        const pairs = order.flatMap((i) => EDGE_PAIRS.slice(2 * i, 2 * i + 2));
        expect(wide.pedersenBatch(pairs)).toEqual(
          order.map((_, at) => hashOf.get(pairName(pairs, 2 * at)) ?? 0n),
        );
      }),
      { numRuns: 10 },
    );
  });

  test("batches of every size around a group boundary are complete", () => {
    const hashes = wide.pedersenBatch(EDGE_PAIRS);
    for (const size of [0, 1, 2, 3, 4, 63, 64, 65, 66, 127, 128, 129]) {
      expect(wide.pedersenBatch(EDGE_PAIRS.slice(0, 2 * size))).toEqual(hashes.slice(0, size));
    }
  });
});

function pairName(pairs: readonly bigint[], at: number): string {
  return `${pairs[at]} ${pairs[at + 1]}`;
}

test("Pedersen batches longer than the window are complete and ordered", () => {
  const kernel = new FieldKernel(fieldModule("wide"));
  const pairs = Array.from({ length: 9000 }, (_, i) => BigInt(i % 600));
  const hashes = kernel.pedersenBatch(pairs);
  expect(hashes).toHaveLength(4500);
  expect(hashes[4499]).toBe(kernel.pedersen(598n, 599n));
  expect(hashes.slice(300, 600)).toEqual(hashes.slice(0, 300));
});
