import { describe, expect, test } from "bun:test";
import { feltFromShortString } from "#base/primitives/index.ts";
import { packVersion, sierraVersionOf, unpackVersion } from "#io/storage/class/version.ts";

function classWith(...sierraProgram: bigint[]) {
  const entryPoints = { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] };
  return { kind: "sierra", sierraProgram, contractClassVersion: "", entryPoints, abi: "" } as const;
}

describe("the version of a Sierra program", () => {
  test("is in its first three felts", () => {
    expect(sierraVersionOf(classWith(1n, 7n, 0n, 99n))).toEqual([1, 7, 0]);
  });

  test("is a short string for the first compilers", () => {
    expect(sierraVersionOf(classWith(feltFromShortString("0.1.0"), 5n))).toEqual([0, 1, 0]);
  });

  test("is 0.0.0 when nothing fits", () => {
    expect(sierraVersionOf(classWith())).toEqual([0, 0, 0]);
    expect(sierraVersionOf(classWith(2n ** 200n))).toEqual([0, 0, 0]);
  });

  test("survives its column", () => {
    expect(unpackVersion(BigInt(packVersion([1, 8191, 17])))).toEqual([1, 8191, 17]);
  });
});
