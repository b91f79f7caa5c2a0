import { expect, test } from "bun:test";
import { errorOf, newestOpenRpc, resultOf, specTest } from "#test/helpers/rpc.ts";
import { fixtureTest } from "#test/helpers/shared.ts";
import { EVERY_TRANSACTION, FIRST_HASH, sampleContext } from "#test/helpers/sample-chain.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { errorObject, testBadParams, testByPosition } from "./common.ts";

const sharedTest = fixtureTest("rpc-spec");

const hashes = EVERY_TRANSACTION.map((_, i) => hexFromFelt(FIRST_HASH + BigInt(i)));

test("returns the receipt with its block", async () => {
  expect(await resultOf("getTransactionReceipt", { transaction_hash: "0x102" })).toEqual({
    type: "INVOKE",
    transaction_hash: "0x102",
    actual_fee: { amount: "0x64", unit: "FRI" },
    finality_status: "ACCEPTED_ON_L1",
    execution_status: "SUCCEEDED",
    messages_sent: [{ from_address: "0xc0", to_address: "0xe7", payload: ["0x1"] }],
    events: [{ from_address: "0xc0", keys: ["0x1"], data: ["0x2", "0x3"] }],
    execution_resources: { l1_gas: 0, l1_data_gas: 128, l2_gas: 1_000_000 },
    block_hash: "0xb10c0",
    block_number: 0,
  });
});

test("includes the reason of a reverted transaction", async () => {
  expect(await resultOf("getTransactionReceipt", ["0x200"])).toMatchObject({
    execution_status: "REVERTED",
    revert_reason: "out of luck",
  });
});

test("omits the block hash in the pre-confirmed block", async () => {
  const receipt = await resultOf("getTransactionReceipt", ["0x300"]);
  expect(receipt).toMatchObject({ finality_status: "PRE_CONFIRMED", block_number: 2 });
  expect(receipt).not.toHaveProperty("block_hash");
});

test("includes the contract address of a deployed account", async () => {
  expect(await resultOf("getTransactionReceipt", ["0x108"])).toMatchObject({
    type: "DEPLOY_ACCOUNT",
    contract_address: "0xc0",
  });
});

for (const [what, hash] of [
  ["an unknown transaction", "0xdead"],
  ["a transaction in the mempool", "0x400"],
] as const) {
  test(`responds TXN_HASH_NOT_FOUND for ${what}`, async () => {
    expect(await errorOf("getTransactionReceipt", [hash])).toEqual(
      errorObject("TXN_HASH_NOT_FOUND"),
    );
  });
}

sharedTest("matches the schema of every receipt type", async () => {
  for (const hash of hashes) {
    const receipt = (await resultOf("getTransactionReceipt", [hash])) as Record<string, unknown>;
    const { block_hash: _, block_number: __, ...bare } = receipt;
    const schema = `${String(receipt["type"])}_TXN_RECEIPT`;
    expect(newestOpenRpc().schemaFindings(schema, bare)).toEqual([]);
  }
});

test("does not find a rejected transaction, but reports the reason", async () => {
  const context = sampleContext({
    mempool: {
      find: () => Promise.resolve(undefined),
      rejectionOf: () => Promise.resolve("nonce too old"),
    },
  });
  expect(await errorOf("getTransactionReceipt", ["0xdead"], context)).toEqual({
    ...errorObject("TXN_HASH_NOT_FOUND"),
    data: "rejected: nonce too old",
  });
});

testBadParams("getTransactionReceipt", {}, "transaction_hash");
testBadParams("getTransactionReceipt", ["0x1", "0x2"], "[1]");
testByPosition("getTransactionReceipt", { transaction_hash: "0x200" });
specTest("getTransactionReceipt", [
  ...hashes.map((hash) => [[hash]] as const),
  [["0x200"]],
  [["0x300"]],
  [["0xdead"]],
]);
