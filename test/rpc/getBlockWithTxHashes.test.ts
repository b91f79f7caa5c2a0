import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { fakePending } from "#test/helpers/fake-chain.ts";
import { SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";
import { NO_BLOCK, testBlockId, testByPosition } from "./common.ts";

test("returns the header and the hashes in order", async () => {
  expect(await resultOf("getBlockWithTxHashes", { block_id: { block_number: 1 } })).toEqual({
    status: "ACCEPTED_ON_L2",
    block_hash: "0xb10c1",
    parent_hash: "0xb10c0",
    block_number: 1,
    new_root: "0x50071",
    timestamp: 1_700_000_001,
    sequencer_address: "0x5e9",
    l1_gas_price: { price_in_wei: "0x1", price_in_fri: "0x2" },
    l1_data_gas_price: { price_in_wei: "0x3", price_in_fri: "0x4" },
    l2_gas_price: { price_in_wei: "0x5", price_in_fri: "0x6" },
    l1_da_mode: "BLOB",
    starknet_version: "0.14.0",
    transaction_commitment: "0xc1",
    event_commitment: "0xc2",
    receipt_commitment: "0xc3",
    state_diff_commitment: "0xc4",
    transaction_count: 1,
    event_count: 0,
    state_diff_length: 0,
    transactions: ["0x200"],
  });
});

test("reports a block up to the L1 head as ACCEPTED_ON_L1", async () => {
  expect(await resultOf("getBlockWithTxHashes", { block_id: "l1_accepted" })).toMatchObject({
    block_number: 0,
    status: "ACCEPTED_ON_L1",
  });
});

test("finds a block by its hash", async () => {
  const block_id = { block_hash: "0xb10c0" };
  expect(await resultOf("getBlockWithTxHashes", { block_id })).toMatchObject({ block_number: 0 });
});

test("omits hash, roots and status of the pre-confirmed block", async () => {
  expect(await resultOf("getBlockWithTxHashes", { block_id: "pre_confirmed" })).toEqual({
    block_number: 2,
    timestamp: 1_700_000_002,
    sequencer_address: "0x5e9",
    l1_gas_price: { price_in_wei: "0x1", price_in_fri: "0x2" },
    l1_data_gas_price: { price_in_wei: "0x3", price_in_fri: "0x4" },
    l2_gas_price: { price_in_wei: "0x5", price_in_fri: "0x6" },
    l1_da_mode: "BLOB",
    starknet_version: "0.14.0",
    transactions: ["0x300"],
  });
});

test("returns an empty pre-confirmed block before its first transaction", async () => {
  const context = sampleContext({ pending: () => fakePending(SAMPLE_CHAIN, {}) });
  expect(
    await resultOf("getBlockWithTxHashes", { block_id: "pre_confirmed" }, context),
  ).toMatchObject({ block_number: 2, transactions: [] });
});

testBlockId("getBlockWithTxHashes");
testByPosition("getBlockWithTxHashes", { block_id: "latest" });
specTest("getBlockWithTxHashes", [
  [["latest"]],
  [["pre_confirmed"]],
  [[{ block_number: 0 }]],
  [[NO_BLOCK]],
]);
