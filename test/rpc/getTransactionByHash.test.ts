import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, testBadParams, testByPosition } from "./common.ts";

for (const [where, hash] of [
  ["an accepted block", "0x200"],
  ["the block being built", "0x300"],
  ["the mempool", "0x400"],
] as const) {
  test(`answers a transaction of ${where}`, async () => {
    expect(await resultOf("getTransactionByHash", { transaction_hash: hash })).toMatchObject({
      transaction_hash: hash,
      type: "INVOKE",
      version: "0x3",
    });
  });
}

test("proof facts are left out unless asked for", async () => {
  expect(await resultOf("getTransactionByHash", ["0x200"])).not.toHaveProperty("proof_facts");
});

test("proof facts are shown when asked for", async () => {
  expect(await resultOf("getTransactionByHash", ["0x200", ["INCLUDE_PROOF_FACTS"]])).toMatchObject({
    proof_facts: ["0xfac7"],
  });
});

test("an unknown transaction is TXN_HASH_NOT_FOUND", async () => {
  expect(await errorOf("getTransactionByHash", ["0xdead"])).toEqual(
    errorObject("TXN_HASH_NOT_FOUND"),
  );
});

test("a rejected transaction is not found, with the reason", async () => {
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

test("a transaction of which only another node has the contents is not found, and it has a status", async () => {
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
