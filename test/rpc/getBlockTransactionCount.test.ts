import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { NO_BLOCK, testBlockId, testByPosition } from "./common.ts";

for (const [block_id, count] of [
  [{ block_number: 0 }, 11],
  ["latest", 1],
  ["pre_confirmed", 1],
] as const) {
  test(`counts the transactions of ${JSON.stringify(block_id)}`, async () => {
    expect(await resultOf("getBlockTransactionCount", { block_id })).toBe(count);
  });
}

testBlockId("getBlockTransactionCount");
testByPosition("getBlockTransactionCount", { block_id: "latest" });
specTest("getBlockTransactionCount", [[["latest"]], [[NO_BLOCK]]]);
