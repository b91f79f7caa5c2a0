import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Felt, FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import { FeltBlock, FeltPool, hexSlicesOf, withFelt } from "#kernels/vm/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

function blockOf(felts: readonly Felt[]): FeltBlock {
  const last = felts.at(-1);
  return last === undefined ? FeltBlock.EMPTY : withFelt(felts.slice(0, -1), last);
}

/** Pseudo-random felts without a pattern. */
function someFelts(length: number, seed = 1n): Felt[] {
  let state = seed;
  return Array.from(
    { length },
    () => (state = (state * 6_364_136_223_846_793_005n + 1n) % 2n ** 250n),
  );
}

describe("a shared FeltBlock", () => {
  test("keeps its felts, by index, as an array and in slices", () => {
    const felt = fc.oneof(fc.bigInt(0n, 4n), fc.bigInt(0n, FIELD_PRIME - 1n));
    const lists = fc.array(fc.array(felt, { maxLength: 3_000, size: "max" }), { maxLength: 4 });
    assertProperty(
      fc.property(lists, fc.nat(), (given, at) => {
        const pool = new FeltPool();
        const blocks = given.map(blockOf);
        for (const block of blocks) block.share(pool);
        for (const [i, block] of blocks.entries()) {
          const felts = given[i] as Felt[];
          expect(block.length).toBe(felts.length);
          expect(block.toArray()).toEqual(felts);
          expect(JSON.parse(`[${[...hexSlicesOf(block)].join(",")}]`)).toEqual(
            felts.map(hexFromFelt),
          );
          const index = felts.length === 0 ? 0 : at % felts.length;
          expect(block.at(index)).toBe(felts[index]);
          expect(block.at(0)).toBe(felts[0]);
          expect(block.at(felts.length)).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  test("keeps its cells and counts no bytes itself", () => {
    const felts = someFelts(5_000);
    const [shared, own] = [blockOf(felts), blockOf(felts)];
    shared.share(new FeltPool());
    expect(Buffer.compare(shared.cells, own.cells)).toBe(0);
    expect([shared.sizeBytes, own.sizeBytes]).toEqual([0, 5_000 * 32]);
  });

  test("is empty after its release", () => {
    const block = blockOf(someFelts(100));
    block.share(new FeltPool());
    block.release();
    expect([block.length, block.at(0), block.toArray()]).toEqual([0, undefined, []]);
  });
});

describe("FeltPool", () => {
  const LENGTH = 20_000;
  const LIST_BYTES = LENGTH * 32;

  function sizeWith(lists: readonly (readonly Felt[])[]): number {
    const pool = new FeltPool();
    for (const felts of lists) blockOf(felts).share(pool);
    return pool.sizeBytes;
  }

  test("stores a repeated list once", () => {
    const felts = someFelts(LENGTH);
    const pool = new FeltPool();
    blockOf(felts).share(pool);
    const once = pool.sizeBytes;
    expect(once).toBeLessThan(3 * LIST_BYTES);
    for (let i = 0; i < 50; i++) blockOf(felts).share(pool);
    expect(pool.sizeBytes).toBe(once);
  });

  test("stores the common part of shifted lists once", () => {
    const felts = someFelts(LENGTH);
    const shifted = Array.from({ length: 50 }, (_, i) => felts.slice(i * 7));
    expect(sizeWith(shifted)).toBeLessThan(8 * LIST_BYTES);
  });

  test("stores little for constant or periodic felts", () => {
    for (const period of [1, 2, 3, 10]) {
      const felts = Array.from({ length: LENGTH }, (_, i) => BigInt(i % period));
      const shifted = Array.from({ length: 50 }, (_, i) => felts.slice(i));
      expect(sizeWith(shifted)).toBeLessThan(8 * LIST_BYTES);
    }
  });

  test("gives equal lists the same content, and different lists different contents", () => {
    const felts = someFelts(2_000);
    const pool = new FeltPool();
    const blocks = [felts, felts, felts.slice(1)].map(blockOf);
    expect(new Set(blocks.map(({ content }) => content)).size).toBe(3);
    for (const block of blocks) block.share(pool);
    expect(blocks[0]?.content).toBe(blocks[1]?.content as object);
    expect(blocks[0]?.content).not.toBe(blocks[2]?.content as object);
  });

  test("keeps lists apart that differ in one felt or in length", () => {
    const felts = someFelts(3_000);
    const other = felts.with(1_500, felts[1_500] === 0n ? 1n : 0n);
    const pool = new FeltPool();
    const blocks = [felts, other, felts.slice(1), felts.slice(0, -1)].map(blockOf);
    for (const block of blocks) block.share(pool);
    expect(blocks.map((block) => block.toArray())).toEqual([
      felts,
      other,
      felts.slice(1),
      felts.slice(0, -1),
    ]);
  });
});
