import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { emptyContext } from "#test/helpers/sample-chain.ts";
import { errorObject, testBadParams } from "./common.ts";

test("returns the hash and number of the newest accepted block", async () => {
  expect(await resultOf("blockHashAndNumber")).toEqual({
    block_hash: "0xb10c1",
    block_number: 1,
  });
});

test("responds NO_BLOCKS before the first block", async () => {
  expect(await errorOf("blockHashAndNumber", [], emptyContext())).toEqual(errorObject("NO_BLOCKS"));
});

testBadParams("blockHashAndNumber", [null], "[0]");
specTest("blockHashAndNumber", [[[]], [[], emptyContext()]]);
