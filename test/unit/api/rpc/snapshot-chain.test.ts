import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { laterChain } from "#test/helpers/later-chain.ts";
import { ask, errorOf, resultOf, VERSIONS } from "#test/helpers/rpc.ts";
import {
  FIRST_HASH,
  REVERTED_HASH,
  SAMPLE_CHAIN,
  sampleContext,
} from "#test/helpers/sample-chain.ts";
import { SubscriptionWorld } from "#test/helpers/subscription-world.ts";

const chain = laterChain(SAMPLE_CHAIN, 1);
const context = sampleContext({ chain });

const address = { contract_address: "0xc0" };
const message = {
  from_address: "0x0000000000000000000000000000000000000001",
  to_address: "0xc0",
  entry_point_selector: "0x1",
  payload: [],
};

/** Every method that takes a block id, with its other parameters. */
const METHODS: readonly (readonly [
  method: string,
  params: { readonly [key: string]: JsonValue },
])[] = [
  ["getBlockWithTxHashes", {}],
  ["getBlockWithTxs", {}],
  ["getBlockWithReceipts", {}],
  ["getBlockTransactionCount", {}],
  ["getTransactionByBlockIdAndIndex", { index: 0 }],
  ["getStateUpdate", {}],
  ["traceBlockTransactions", {}],
  ["getStorageAt", { ...address, key: "0x1" }],
  ["getNonce", address],
  ["getClassAt", address],
  ["getClassHashAt", address],
  ["getClass", { class_hash: "0x51e77a" }],
  ["call", { request: { ...address, entry_point_selector: "0x1", calldata: [] } }],
  ["estimateFee", { request: [], simulation_flags: [] }],
  ["simulateTransactions", { transactions: [], simulation_flags: [] }],
  ["estimateMessageFee", { message }],
  ["getStorageProof", {}],
];

const OLDEST = "this chain was made from a snapshot: its oldest block is 1";
const REFUSAL = { code: 24, message: "Block not found", data: OLDEST };

describe("block before the snapshot", () => {
  for (const [method, params] of METHODS) {
    test(`is BLOCK_NOT_FOUND for ${method}, with the oldest block`, async () => {
      for (const version of VERSIONS) {
        if (method === "getStorageProof" && version.startsWith("0.7")) continue;
        for (const block_id of [{ block_number: 0 }, { block_hash: "0xb10c0" }]) {
          const error = await errorOf(method, { ...params, block_id }, context, version);
          expect(error).toEqual(REFUSAL);
        }
      }
    });
  }

  test("is distinguished from a future block", async () => {
    const params = { block_id: { block_number: 99 } };
    expect(await errorOf("getBlockWithTxs", params, context)).not.toHaveProperty("data");
  });

  test("has no transactions and receipts", async () => {
    const params = { transaction_hash: hexFromFelt(FIRST_HASH) };
    for (const method of [
      "getTransactionByHash",
      "getTransactionReceipt",
      "getTransactionStatus",
    ]) {
      expect(await errorOf(method, params, context)).toMatchObject({ code: 29 });
    }
  });

  test("cannot start a subscription", async () => {
    const world = new SubscriptionWorld();
    Object.assign(world.context, { chain: laterChain(world.context.chain, 2) });
    for (let i = 0; i < 3; i++) world.accept();
    const client = world.client();
    for (const method of ["subscribeNewHeads", "subscribeEvents"]) {
      const answer = client.ask(`starknet_${method}`, { block_id: { block_number: 1 } });
      const data = "this chain was made from a snapshot: its oldest block is 2";
      expect(await answer).toEqual({ error: { ...REFUSAL, data } });
    }
    const id = await client.subscribe("subscribeNewHeads", [{ block_number: 2 }]);
    await world.settle();
    expect(client.results(id).map((header) => header["block_number"])).toEqual([2, 3]);
  });

  test("makes messages of an L1 transaction not found rather than empty", async () => {
    const messagesOfL1Transaction = () => [{ transactionHash: FIRST_HASH, blockNumber: 0 }];
    const asking = sampleContext({ chain: { ...chain, messagesOfL1Transaction } });
    const params = { transaction_hash: `0x${"0".repeat(63)}1` };
    expect(await errorOf("getMessagesStatus", params, asking)).toEqual({
      code: 29,
      message: "Transaction hash not found",
      data: OLDEST,
    });
  });
});

describe("events before the snapshot", () => {
  test.each<[string, { readonly [key: string]: JsonValue }]>([
    ["without a block", {}],
    ["from the block before it", { from_block: { block_number: 0 } }],
    [
      "only of the block before it",
      { from_block: { block_number: 0 }, to_block: { block_number: 0 } },
    ],
    ["from the hash of the block before it", { from_block: { block_hash: "0xb10c0" } }],
    ["up to the hash of the block before it", { to_block: { block_hash: "0xb10c0" } }],
    ["up to the block before it", { to_block: { block_number: 0 } }],
  ])("are an error: %s", async (_, blocks) => {
    for (const version of VERSIONS) {
      const filter = { chunk_size: 10, ...blocks };
      const error = await errorOf("getEvents", { filter }, context, version);
      expect(error.code).toBe(24);
      expect(error.data).toContain(OLDEST);
    }
  });

  test("do not affect queries that start at the snapshot", async () => {
    const filter = { chunk_size: 10, from_block: { block_number: 1 } };
    expect(await resultOf("getEvents", { filter }, context)).toEqual({ events: [] });
  });
});

describe("first block of a chain from a snapshot", () => {
  test.each(["getBlockWithTxs", "getBlockWithReceipts", "getStateUpdate"])(
    "has the same %s response as on the whole chain",
    async (method) => {
      const whole = await ask(method, [{ block_number: 1 }]);
      expect(whole).toHaveProperty("result");
      expect(await ask(method, [{ block_number: 1 }], context)).toEqual(whole);
    },
  );

  test("has its transactions", async () => {
    const params = { transaction_hash: hexFromFelt(REVERTED_HASH) };
    for (const method of ["getTransactionByHash", "getTransactionReceipt"]) {
      expect(await resultOf(method, params, context)).toEqual(await resultOf(method, params));
    }
  });

  test("cannot be traced because the state before it is missing", async () => {
    const params = { block_id: { block_number: 1 } };
    expect(await errorOf("traceBlockTransactions", params, context)).toMatchObject({ code: 24 });
  });
});
