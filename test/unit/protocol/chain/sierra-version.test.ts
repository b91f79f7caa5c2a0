import { describe, expect, test } from "bun:test";
import { feltFromShortString } from "#base/primitives/index.ts";
import { sierraVersionOf } from "#protocol/chain/index.ts";

describe("sierraVersionOf", () => {
  test("reads the first three felts", () => {
    expect(sierraVersionOf({ sierraProgram: [1n, 7n, 0n, 99n] })).toEqual([1, 7, 0]);
  });

  test("reads the short string of the first compilers", () => {
    const sierraProgram = [feltFromShortString("0.1.0"), 5n];
    expect(sierraVersionOf({ sierraProgram })).toEqual([0, 1, 0]);
  });

  test("is 0.0.0 for anything else", () => {
    expect(sierraVersionOf({ sierraProgram: [] })).toEqual([0, 0, 0]);
    expect(sierraVersionOf({ sierraProgram: [2n ** 200n] })).toEqual([0, 0, 0]);
  });
});
