import { describe, expect, test } from "bun:test";
import { balanceKey } from "#engine/execution/index.ts";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_getAccountBalance";

/** World with a FRI balance of 7 in accepted blocks and 9 in the pre-confirmed one. */
function holding(address: bigint) {
  const { context, calls } = devnetWorld();
  const token = context.devnet?.tokens.FRI;
  const withBalance = (state: ReturnType<typeof context.chain.stateAt>, amount: bigint) =>
    new Proxy(state, {
      get(target, name, receiver) {
        if (name !== "storageAt") return Reflect.get(target, name, receiver);
        return (contract: bigint, key: bigint) =>
          contract === token && key === balanceKey(address) ? amount : 0n;
      },
    });
  const chain = {
    ...context.chain,
    stateAt: (number: number) => withBalance(context.chain.stateAt(number), 7n),
  };
  const pending = () => {
    const block = context.pending();
    return block === undefined ? undefined : { ...block, state: withBalance(block.state, 9n) };
  };
  return { context: { ...context, chain, pending }, calls };
}

describe(METHOD, () => {
  test("returns the balance at a block, in FRI by default", async () => {
    const { context } = holding(0x5n);
    const rows = [
      [{ address: "0x5" }, "7", "FRI"],
      [{ address: "0x5", block_id: "latest" }, "7", "FRI"],
      [{ address: "0x5", block_id: { block_number: 0 } }, "7", "FRI"],
      [{ address: "0x5", block_id: "pre_confirmed" }, "9", "FRI"],
      [{ address: "0x5", block_tag: "pre_confirmed" }, "9", "FRI"],
      [{ address: "0x5", block_tag: "pending" }, "9", "FRI"],
      [{ address: "0x5", block_tag: "latest" }, "7", "FRI"],
      [{ address: "0x5", unit: "WEI" }, "0", "WEI"],
      [{ address: "0x6" }, "0", "FRI"],
    ] as const;
    for (const [params, amount, unit] of rows) {
      expect(await askDevnet(METHOD, params, context)).toEqual({ result: { amount, unit } });
    }
  });

  test("responds BLOCK_NOT_FOUND for an unknown block", async () => {
    const answer = await askDevnet(METHOD, { address: "0x5", block_id: { block_number: 99 } });
    expect(answer).toEqual({ error: { code: 24, message: "Block not found" } });
  });

  test("rejects invalid parameters", async () => {
    expect(await refusedPath(METHOD, {})).toBe("address");
    expect(await refusedPath(METHOD, { address: `0x8${"0".repeat(62)}` })).toBe("address");
    expect(await refusedPath(METHOD, { address: "0x5", unit: "ETH" })).toBe("unit");
    expect(await refusedPath(METHOD, { address: "0x5", block_tag: "first" })).toBe("block_tag");
    expect(await refusedPath(METHOD, { address: "0x5", block_id: "first" })).toBe("block_id");
  });
});
