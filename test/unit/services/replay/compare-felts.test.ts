import { describe, expect, spyOn, test } from "bun:test";
import type { Felt } from "#base/primitives/index.ts";
import { FeltDigester, type RemoteFelts } from "#io/client/index.ts";
import { FeltBlock, FeltPool, type Felts, withFelt } from "#kernels/vm/index.ts";
import { FeltComparison } from "#services/replay/compare-felts.ts";
import { DifferenceFound } from "#services/replay/index.ts";

const PLACE = { index: 3, hash: 0x7n };

function digestOf(felts: readonly Felt[]): RemoteFelts {
  const digester = new FeltDigester();
  for (const felt of felts) digester.add(felt);
  return digester.digest();
}

/** The same felts in the machine's form. */
const packed = (felts: readonly Felt[]): Felts => withFelt(felts.slice(0, -1), felts.at(-1) ?? 0n);

/** Difference of two lists, or nothing. */
function difference(ours: Felts, theirs: RemoteFelts) {
  try {
    new FeltComparison().requireSame("trace.calldata", ours, theirs, PLACE);
    return undefined;
  } catch (error) {
    if (!(error instanceof DifferenceFound)) throw error;
    return error.difference;
  }
}

const felts = Array.from({ length: 3_000 }, (_, i) => BigInt(i) << BigInt(i % 240));

describe("felt lists", () => {
  test("are equal in any form", () => {
    for (const ours of [felts, packed(felts)]) {
      expect(difference(ours, felts)).toBeUndefined();
      expect(difference(ours, digestOf(felts))).toBeUndefined();
    }
    expect(difference([], [])).toBeUndefined();
  });

  test("differ at the first different felt", () => {
    for (const ours of [felts, packed(felts)]) {
      expect(difference(ours, felts.with(1_500, 5n).with(1_600, 5n))).toEqual({
        field: "trace.calldata[1500]",
        ours: `0x${(felts[1_500] ?? 0n).toString(16)}`,
        theirs: "0x5",
        transaction: PLACE,
      });
    }
  });

  test("differ in the digest block that contains a different felt", () => {
    for (const ours of [felts, packed(felts)]) {
      const found = difference(ours, digestOf(felts.with(2_999, 5n)));
      expect(found).toMatchObject({ field: "trace.calldata[2048..2999]", transaction: PLACE });
      expect(found?.ours).toMatch(/^felts with the digest [0-9a-f]{64}$/);
      expect(found?.theirs).toMatch(/^felts with the digest [0-9a-f]{64}$/);
      expect(found?.ours).not.toBe(found?.theirs ?? "");
    }
  });

  test("differ in their length first", () => {
    const wanted = { field: "trace.calldata.length", ours: "3000", theirs: "2999" };
    const shorter = felts.slice(0, -1).with(0, 5n);
    expect(difference(felts, shorter)).toMatchObject(wanted);
    expect(difference(felts, digestOf(shorter))).toMatchObject(wanted);
  });

  test("are compared independently", () => {
    const comparison = new FeltComparison();
    for (const list of [felts, felts.toReversed(), felts.slice(0, 1_100)]) {
      comparison.requireSame("f", packed(list), digestOf(list), PLACE);
    }
    const other = digestOf(felts.with(7, 5n));
    expect(() => comparison.requireSame("f", packed(felts), other, PLACE)).toThrow(DifferenceFound);
  });

  test("that calls share are hashed once", () => {
    const pool = new FeltPool();
    const blocks = [1, 2, 3].map(() => packed(felts));
    for (const block of blocks) if (block instanceof FeltBlock) block.share(pool);
    const reads = spyOn(FeltBlock.prototype, "at");
    const comparison = new FeltComparison();
    for (const block of blocks) comparison.requireSame("f", block, digestOf(felts), PLACE);
    expect(reads).toHaveBeenCalledTimes(felts.length);
    reads.mockRestore();
  });

  test("are hashed once and never unpacked as a whole", () => {
    let reads = 0;
    const ours = {
      length: 2_000,
      at: (index: number): Felt => {
        reads++;
        return BigInt(index);
      },
      toArray: () => {
        throw new TypeError("it was unpacked");
      },
    } as unknown as Felts;
    const theirs = Array.from({ length: 2_000 }, (_, i) => BigInt(i));
    const comparison = new FeltComparison();
    for (let i = 0; i < 3; i++) comparison.requireSame("f", ours, digestOf(theirs), PLACE);
    expect(reads).toBe(2_000);
    comparison.requireSame("f", ours, theirs, PLACE);
    expect(reads).toBe(4_000);
  });
});
