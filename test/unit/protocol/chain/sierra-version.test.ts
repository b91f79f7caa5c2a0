import { describe, expect, test } from "bun:test";
import { feltFromShortString } from "#base/primitives/index.ts";
import { sierraVersionOf } from "#protocol/chain/index.ts";

describe("the version of a Sierra program", () => {
  test("is in its first three felts", () => {
    expect(sierraVersionOf({ sierraProgram: [1n, 7n, 0n, 99n] })).toEqual([1, 7, 0]);
  });

  test("is a short string for the first compilers", () => {
    const sierraProgram = [feltFromShortString("0.1.0"), 5n];
    expect(sierraVersionOf({ sierraProgram })).toEqual([0, 1, 0]);
  });

  test("is 0.0.0 when nothing fits", () => {
    expect(sierraVersionOf({ sierraProgram: [] })).toEqual([0, 0, 0]);
    expect(sierraVersionOf({ sierraProgram: [2n ** 200n] })).toEqual([0, 0, 0]);
  });
});
