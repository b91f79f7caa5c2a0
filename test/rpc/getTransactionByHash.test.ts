import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, testBadParams, testByPosition } from "./common.ts";

for (const [where, hash] of [
  ["an accepted block", "0x200"],
  ["the pre-confirmed block", "0x300"],
  ["the mempool", "0x400"],
] as const) {
  test(`returns a transaction of ${where}`, async () => {
    expect(await resultOf("getTransactionByHash", { transaction_hash: hash })).toMatchObject({
      transaction_hash: hash,
      type: "INVOKE",
      version: "0x3",
    });
  });
}

test("omits proof facts by default", async () => {
  expect(await resultOf("getTransactionByHash", ["0x200"])).not.toHaveProperty("proof_facts");
});

test("includes proof facts on request", async () => {
  expect(await resultOf("getTransactionByHash", ["0x200", ["INCLUDE_PROOF_FACTS"]])).toMatchObject({
    proof_facts: ["0xfac7"],
  });
});

test("responds TXN_HASH_NOT_FOUND for an unknown transaction", async () => {
  expect(await errorOf("getTransactionByHash", ["0xdead"])).toEqual(
    errorObject("TXN_HASH_NOT_FOUND"),
  );
});

test("does not find a rejected transaction, but reports the reason", async () => {
  const context = sampleContext({
    mempool: {
      find: () => Promise.resolve(undefined),
      rejectionOf: () => Promise.resolve("nonce too old"),
    },
  });
  expect(await errorOf("getTransactionByHash", ["0xdead"], context)).toEqual({
    ...errorObject("TXN_HASH_NOT_FOUND"),
    data: "rejected: nonce too old",
  });
});

test("does not find a transaction held only by another node, although its status is known", async () => {
  const { mempool } = sampleContext();
  const elsewhere = { hash: 0xdeadn, transaction: undefined, isCandidate: false };
  const context = sampleContext({
    mempool: { ...mempool, find: () => Promise.resolve(elsewhere) },
  });
  expect(await errorOf("getTransactionByHash", ["0xdead"], context)).toEqual(
    errorObject("TXN_HASH_NOT_FOUND"),
  );
  expect(await resultOf("getTransactionStatus", ["0xdead"], context)).toEqual({
    finality_status: "RECEIVED",
  });
});

testBadParams("getTransactionByHash", { transaction_hash: 4 }, "transaction_hash");
testBadParams("getTransactionByHash", { hash: "0x4" }, "transaction_hash");
testByPosition("getTransactionByHash", { transaction_hash: "0x200" });
specTest("getTransactionByHash", [[["0x100"]], [["0x10a"]], [["0x300"]], [["0xdead"]]]);
