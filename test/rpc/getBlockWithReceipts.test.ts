import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

interface Block {
  readonly transactions: readonly Record<"transaction" | "receipt", unknown>[];
}

test("returns each transaction without its hash, and its receipt", async () => {
  const block = (await resultOf("getBlockWithReceipts", { block_id: "latest" })) as Block;
  expect(block.transactions).toEqual([
    {
      transaction: expect.not.objectContaining({ transaction_hash: "0x200" }),
      receipt: {
        type: "INVOKE",
        transaction_hash: "0x200",
        actual_fee: { amount: "0x64", unit: "FRI" },
        finality_status: "ACCEPTED_ON_L2",
        execution_status: "REVERTED",
        revert_reason: "out of luck",
        messages_sent: [],
        events: [],
        execution_resources: { l1_gas: 0, l1_data_gas: 128, l2_gas: 1_000_000 },
      },
    },
  ]);
});

test("has PRE_CONFIRMED receipts for the pre-confirmed block", async () => {
  const block = (await resultOf("getBlockWithReceipts", ["pre_confirmed"])) as Block;
  expect(block.transactions[0]?.receipt).toMatchObject({ finality_status: "PRE_CONFIRMED" });
});

testBlockId("getBlockWithReceipts");
testBadParams("getBlockWithReceipts", ["latest", "INCLUDE_PROOF_FACTS"], "response_flags");
testByPosition("getBlockWithReceipts", { block_id: "latest" });
specTest("getBlockWithReceipts", [
  [["latest"]],
  [["pre_confirmed"]],
  [[{ block_number: 0 }, ["INCLUDE_PROOF_FACTS"]]],
  [[NO_BLOCK]],
]);
