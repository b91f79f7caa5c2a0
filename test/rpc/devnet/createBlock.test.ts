import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

test("devnet_createBlock returns the block hash", async () => {
  const { context, calls } = devnetWorld();
  expect(await askDevnet("devnet_createBlock", {}, context)).toEqual({
    result: { block_hash: "0xb10c" },
  });
  expect(calls).toEqual([["createBlock", false]]);
  expect(await refusedPath("devnet_createBlock", { count: 2 })).toBe("count");
});
