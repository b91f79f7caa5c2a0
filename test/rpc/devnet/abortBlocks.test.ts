import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const METHOD = "devnet_abortBlocks";

describe(METHOD, () => {
  test.each([
    ["latest", 1],
    [{ block_number: 1 }, 1],
    ["pre_confirmed", 2],
  ])("reverts %p and all later blocks", async (id, from) => {
    const { context, calls } = devnetWorld();
    expect(await askDevnet(METHOD, { starting_block_id: id }, context)).toEqual({
      result: { aborted: ["0xab"] },
    });
    expect(calls).toEqual([["abortFrom", from]]);
  });

  test("does not revert the genesis block or blocks accepted on L1", async () => {
    const { context, calls } = devnetWorld();
    const answer = await askDevnet(METHOD, { starting_block_id: { block_number: 0 } }, context);
    expect(answer).toHaveProperty("error.message", "Genesis block can't be aborted");
    const { chain } = sampleContext();
    const settled = {
      ...context,
      chain: Object.assign(Object.create(chain), { l1AcceptedNumber: () => 1 }),
    };
    expect(await askDevnet(METHOD, { starting_block_id: "latest" }, settled)).toHaveProperty(
      "error.message",
      "Block is accepted on L1: it cannot be aborted",
    );
    expect(calls).toEqual([]);
  });

  test("does not revert the first block of a fork or blocks of the forked network", async () => {
    const fork = { chainId: "SN_MAIN", blockNumber: 0, blockHash: 0xabn };
    const { context, calls } = devnetWorld({ fork });
    const messageOf = async (id: JsonValue): Promise<unknown> =>
      ((await askDevnet(METHOD, [id], context)) as { error?: { message: string } }).error?.message;
    expect(await messageOf("latest")).toBe("Genesis block can't be aborted");
    expect(await messageOf({ block_number: 0 })).toBe(
      "Block 0 can't be aborted: it is a block of the forked network, and the chain begins after block 0",
    );
    expect(calls).toEqual([]);
  });

  test("rejects a missing or unknown block", async () => {
    expect(await refusedPath(METHOD, {})).toBe("starting_block_id");
    const unknown = await askDevnet(METHOD, { starting_block_id: { block_number: 77 } });
    expect(unknown).toHaveProperty("error", { code: -1, message: "No block found" });
  });
});
