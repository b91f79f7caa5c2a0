import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { emptyContext } from "#test/helpers/sample-chain.ts";
import { errorObject, testBadParams } from "./common.ts";

test("returns the number of the newest accepted block", async () => {
  expect(await resultOf("blockNumber")).toBe(1);
});

test("responds NO_BLOCKS before the first block", async () => {
  expect(await errorOf("blockNumber", [], emptyContext())).toEqual(errorObject("NO_BLOCKS"));
});

testBadParams("blockNumber", { a: 1 }, "a");
specTest("blockNumber", [[[]], [{}, emptyContext()]]);
