import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { testBadParams } from "./common.ts";

const synchronizing = sampleContext({
  syncStatus: () => ({
    startingBlock: { number: 0, hash: 0xan },
    currentBlock: { number: 1, hash: 0xbn },
    highestBlock: { number: 9, hash: 0xcn },
  }),
});

test("is false when the node is not syncing", async () => {
  expect(await resultOf("syncing")).toBe(false);
});

test("returns the starting, current and highest block", async () => {
  expect(await resultOf("syncing", [], synchronizing)).toEqual({
    starting_block_hash: "0xa",
    starting_block_num: 0,
    current_block_hash: "0xb",
    current_block_num: 1,
    highest_block_hash: "0xc",
    highest_block_num: 9,
  });
});

testBadParams("syncing", { x: 1 }, "x");
specTest("syncing", [[[]], [[], synchronizing]]);
