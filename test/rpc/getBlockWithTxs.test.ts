import { expect, test } from "bun:test";
import { newestOpenRpc, resultOf, specTest } from "#test/helpers/rpc.ts";
import { fixtureTest } from "#test/helpers/shared.ts";
import { NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

const sharedTest = fixtureTest("rpc-spec");

interface Block {
  readonly transactions: readonly Readonly<Record<string, unknown>>[];
}

const INVOKE = {
  transaction_hash: "0x200",
  type: "INVOKE",
  version: "0x3",
  sender_address: "0xc0",
  calldata: ["0x8", "0x9"],
  signature: ["0x1", "0x2"],
  nonce: "0x1",
  resource_bounds: {
    l1_gas: { max_amount: "0x1", max_price_per_unit: "0x2" },
    l1_data_gas: { max_amount: "0x3", max_price_per_unit: "0x4" },
    l2_gas: { max_amount: "0x5", max_price_per_unit: "0x6" },
  },
  tip: "0x7",
  paymaster_data: [],
  account_deployment_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
};

test("returns complete transactions with their hashes", async () => {
  const block = (await resultOf("getBlockWithTxs", { block_id: "latest" })) as Block;
  expect(block.transactions).toEqual([INVOKE]);
});

test("includes proof facts on request", async () => {
  const params = { block_id: "latest", response_flags: ["INCLUDE_PROOF_FACTS"] };
  const block = (await resultOf("getBlockWithTxs", params)) as Block;
  expect(block.transactions).toEqual([{ ...INVOKE, proof_facts: ["0xfac7"] }]);
});

test("returns the pre-confirmed block", async () => {
  expect(await resultOf("getBlockWithTxs", { block_id: "pre_confirmed" })).toMatchObject({
    block_number: 2,
    transactions: [{ ...INVOKE, transaction_hash: "0x300" }],
  });
});

sharedTest("matches the schema of every transaction type and version", async () => {
  const block = (await resultOf("getBlockWithTxs", [{ block_number: 0 }])) as Block;
  const findings = block.transactions.map((transaction) => {
    const { type, version } = transaction as { readonly type: string; readonly version: string };
    const suffix = type === "L1_HANDLER" || type === "DEPLOY" ? "" : `_V${Number(version)}`;
    // The named schemas are those without a hash.
    const bare = { ...transaction, transaction_hash: undefined };
    return newestOpenRpc().schemaFindings(`${type}_TXN${suffix}`, JSON.parse(JSON.stringify(bare)));
  });
  expect(findings).toEqual(findings.map(() => []));
});

testBlockId("getBlockWithTxs");
testBadParams("getBlockWithTxs", ["latest", ["ALL"]], "response_flags[0]");
testByPosition("getBlockWithTxs", {
  block_id: "latest",
  response_flags: ["INCLUDE_PROOF_FACTS"],
});
specTest("getBlockWithTxs", [
  [["latest"]],
  [["latest", ["INCLUDE_PROOF_FACTS"]]],
  [["pre_confirmed"]],
  [[{ block_number: 0 }]],
  [[NO_BLOCK]],
]);
