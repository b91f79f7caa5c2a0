import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { StorageError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { ask, errorOf, VERSIONS } from "#test/helpers/rpc.ts";
import { FIRST_HASH, SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";

const pruned: ChainReader = { ...SAMPLE_CHAIN, oldestStateBlock: () => 1 };

const unreadable = {
  execution: { call: () => notReached(), estimateFee: () => notReached() },
  tracing: {
    simulate: () => notReached(),
    estimateMessageFee: () => notReached(),
    traceBlock: () => notReached(),
    traceOne: () => notReached(),
    weighBlock: () => notReached(),
  },
};

function notReached(): never {
  throw new StorageError("STORAGE_FAILED", "the state of a pruned block was used");
}

const address = { contract_address: "0xc0" };
const message = {
  from_address: "0x0000000000000000000000000000000000000001",
  to_address: "0xc0",
  entry_point_selector: "0x1",
  payload: [],
};

/** Every method that needs the state after a block, with its other parameters. */
const METHODS: readonly (readonly [
  method: string,
  params: { readonly [key: string]: JsonValue },
])[] = [
  ["getStorageAt", { ...address, key: "0x1" }],
  ["getNonce", address],
  ["getClassAt", address],
  ["getClassHashAt", address],
  ["getClass", { class_hash: "0x51e77a" }],
  ["call", { request: { ...address, entry_point_selector: "0x1", calldata: [] } }],
  ["estimateFee", { request: [], simulation_flags: [] }],
  ["simulateTransactions", { transactions: [], simulation_flags: [] }],
  ["estimateMessageFee", { message }],
];

const REFUSAL = {
  code: 24,
  message: "Block not found",
  data: "the state of block 0 is not kept any more; the oldest block with state is 1",
};

describe("block whose state has been pruned", () => {
  for (const [method, params] of METHODS) {
    test(`is BLOCK_NOT_FOUND for ${method}, with the oldest block that has state`, async () => {
      const context = sampleContext({ chain: pruned, ...unreadable });
      for (const version of VERSIONS) {
        const block_id = { block_number: 0 };
        expect(await errorOf(method, { ...params, block_id }, context, version)).toEqual(REFUSAL);
      }
    });
  }

  test("cannot be used to trace the next block", async () => {
    const context = sampleContext({ chain: pruned, ...unreadable });
    const hash = { transaction_hash: hexFromFelt(FIRST_HASH) };
    expect(await errorOf("traceTransaction", hash, context)).toEqual(REFUSAL);
    const block = { block_id: { block_number: 1 } };
    expect(await errorOf("traceBlockTransactions", block, context)).toEqual(REFUSAL);
  });

  test("is still served with transactions, receipts and state update", async () => {
    const context = sampleContext({ chain: pruned });
    for (const method of ["getBlockWithTxs", "getBlockWithReceipts", "getStateUpdate"]) {
      expect(await ask(method, [{ block_number: 0 }], context)).toHaveProperty("result");
    }
  });

  test("is reported alike when it is pruned during a request", async () => {
    const chain: ChainReader = {
      ...SAMPLE_CHAIN,
      stateAt() {
        throw new StorageError("STORAGE_PRUNED", "The state of block 0 is not kept any more.");
      },
    };
    const answer = await errorOf(
      "getNonce",
      [{ block_number: 0 }, "0xc0"],
      sampleContext({ chain }),
    );
    expect(answer).toMatchObject({
      code: 24,
      data: "The state of block 0 is not kept any more.",
    });
  });
});

test("the oldest block with state can be read", async () => {
  const context = sampleContext({ chain: pruned });
  expect(await ask("getNonce", [{ block_number: 1 }, "0xc0"], context)).toHaveProperty("result");
});
