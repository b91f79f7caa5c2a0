import { describe, expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_acceptOnL1";

/** Sample chain whose blocks up to `settled` are accepted on L1. */
function chainWith(settled: number | undefined) {
  const world = devnetWorld();
  const chain = { ...world.context.chain, l1AcceptedNumber: () => settled };
  return { ...world, context: { ...world.context, chain } };
}

describe(METHOD, () => {
  test("returns the blocks, newest first", async () => {
    const { context, calls } = chainWith(undefined);
    const hashes = [1, 0].map((number) => `0x${context.chain.header(number)?.hash.toString(16)}`);
    const answer = await askDevnet(METHOD, { starting_block_id: "latest" }, context);
    expect(answer).toEqual({ result: { accepted: hashes } });
    expect(calls).toEqual([["acceptOnL1", 1]]);
  });

  test("returns only blocks that were not accepted before", async () => {
    const { context } = chainWith(0);
    const answer = await askDevnet(METHOD, { starting_block_id: { block_number: 1 } }, context);
    const hash = `0x${context.chain.header(1)?.hash.toString(16)}`;
    expect(answer).toEqual({ result: { accepted: [hash] } });
  });

  test("rejects blocks that cannot be accepted", async () => {
    const { context, calls } = chainWith(1);
    const rows = [
      ["latest", -1, "Block already accepted on L1"],
      ["pre_confirmed", -1, "Pre-confirmed block cannot be accepted on L1"],
      [{ block_number: 99 }, -1, "No block found"],
    ] as const;
    for (const [id, code, message] of rows) {
      const answer = await askDevnet(METHOD, { starting_block_id: id }, context);
      expect(answer).toEqual({ error: { code, message } });
    }
    expect(await refusedPath(METHOD, { starting_block_id: 1 })).toBe("starting_block_id");
    expect(calls).toEqual([]);
  });
});
