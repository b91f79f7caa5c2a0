import { expect, test } from "bun:test";
import { rawCall } from "#test/helpers/binary.ts";
import {
  referenceBlockHash,
  ReferenceState,
  type RpcBlock,
  type RpcStateDiff,
} from "#test/helpers/reference/block.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

const SENT = 6;

test("hashes and state roots recomputed from JSON-RPC responses alone equal the node's", async () => {
  const chain = await start({ args: ["--dev-accounts", "3"] });
  for (let i = 0; i < SENT; i++) {
    const account = chain.account(i % 3);
    // Some succeed and some are reverted.
    const amount = i % 3 === 2 ? 1n << 120n : BigInt(i + 1);
    const call = transferCall(`0x${(0x1000 + i).toString(16)}`, amount);
    const { transaction_hash } = await account.execute(call, NO_ESTIMATE);
    await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 20 });
  }
  const newest = Number((await rawCall(chain.url, "starknet_blockNumber")).result);
  expect(newest).toBeGreaterThan(0);
  const state = new ReferenceState();
  let parentHash = "0x0";
  for (let number = 0; number <= newest; number++) {
    const id = [{ block_number: number }];
    const block = (await rawCall(chain.url, "starknet_getBlockWithReceipts", id))
      .result as RpcBlock;
    const update = (await rawCall(chain.url, "starknet_getStateUpdate", id)).result as {
      state_diff: RpcStateDiff;
    };
    state.apply(update.state_diff);
    expect([number, state.root()]).toEqual([number, BigInt(block.new_root)]);
    expect([number, referenceBlockHash(block, update.state_diff)]).toEqual([
      number,
      BigInt(block.block_hash),
    ]);
    expect(block.parent_hash).toBe(parentHash);
    parentHash = block.block_hash;
  }
}, 120_000);
