import { expect, test } from "bun:test";
import { packVersion, unpackVersion } from "#io/storage/class/version.ts";

test("the version of a Sierra program survives its column", () => {
  expect(unpackVersion(BigInt(packVersion([1, 8191, 17])))).toEqual([1, 8191, 17]);
});
