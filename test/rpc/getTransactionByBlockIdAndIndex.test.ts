import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

test("returns the transaction at the index", async () => {
  const params = { block_id: { block_number: 0 }, index: 3 };
  expect(await resultOf("getTransactionByBlockIdAndIndex", params)).toEqual({
    transaction_hash: "0x103",
    type: "DECLARE",
    version: "0x0",
    max_fee: "0x0",
    signature: [],
    sender_address: "0x1",
    class_hash: "0x1e6ac",
  });
});

test("returns a transaction of the pre-confirmed block", async () => {
  expect(await resultOf("getTransactionByBlockIdAndIndex", ["pre_confirmed", 0])).toMatchObject({
    transaction_hash: "0x300",
  });
});

for (const block_id of ["latest", "pre_confirmed"]) {
  test(`responds INVALID_TXN_INDEX beyond the end of ${block_id}`, async () => {
    expect(await errorOf("getTransactionByBlockIdAndIndex", [block_id, 1])).toEqual(
      errorObject("INVALID_TXN_INDEX"),
    );
  });
}

for (const index of [Number.MAX_SAFE_INTEGER, 1n << 53n, 10n ** 80n]) {
  test(`responds INVALID_TXN_INDEX for the index ${index}`, async () => {
    expect(await errorOf("getTransactionByBlockIdAndIndex", ["latest", index])).toEqual(
      errorObject("INVALID_TXN_INDEX"),
    );
  });
}

testBlockId("getTransactionByBlockIdAndIndex", { index: 0 });
testBadParams("getTransactionByBlockIdAndIndex", ["latest", -1], "index");
testBadParams("getTransactionByBlockIdAndIndex", ["latest", "0x0"], "index");
testBadParams("getTransactionByBlockIdAndIndex", ["latest"], "index");
testByPosition("getTransactionByBlockIdAndIndex", { block_id: "latest", index: 0 });
specTest("getTransactionByBlockIdAndIndex", [[["latest", 0]], [["latest", 9]], [[NO_BLOCK, 0]]]);
