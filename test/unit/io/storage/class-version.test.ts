import { expect, test } from "bun:test";
import { packVersion, unpackVersion } from "#io/storage/class/version.ts";

test("packVersion and unpackVersion are inverse", () => {
  expect(unpackVersion(BigInt(packVersion([1, 8191, 17])))).toEqual([1, 8191, 17]);
});
