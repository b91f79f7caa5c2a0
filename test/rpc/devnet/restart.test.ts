import { describe, expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_restart";

describe(METHOD, () => {
  test("reverts the chain to its genesis", async () => {
    const { context, calls } = devnetWorld();
    expect(await askDevnet(METHOD, {}, context)).toEqual({ result: {} });
    expect(await askDevnet(METHOD, { restart_l1_to_l2_messaging: true }, context)).toEqual({
      result: {},
    });
    expect(calls).toEqual([
      ["restart", false],
      ["restart", true],
    ]);
  });

  test("moves a fork to a block of its origin", async () => {
    const { context, calls } = devnetWorld();
    for (const block of [0, 7, "0x1f", "latest"]) {
      expect(await askDevnet(METHOD, { fork_block: block }, context)).toEqual({ result: {} });
    }
    await askDevnet(METHOD, [true, "0x0"], context);
    expect(calls).toEqual([
      ["moveFork", { kind: "number", number: 0 }],
      ["moveFork", { kind: "number", number: 7 }],
      ["moveFork", { kind: "hash", hash: 0x1fn }],
      ["moveFork", { kind: "latest" }],
      ["moveFork", { kind: "hash", hash: 0n }],
    ]);
  });

  test.each([-1, 1.5, 2 ** 53, "newest", "7", "0xzz", "", {}, true, `0x1${"0".repeat(64)}`])(
    "rejects %p as the block of a fork",
    async (block) => {
      expect(await refusedPath(METHOD, { fork_block: block })).toBe("fork_block");
    },
  );

  test("rejects invalid parameters", async () => {
    expect(await refusedPath(METHOD, { restart_l1_to_l2_messaging: 1 })).toBe(
      "restart_l1_to_l2_messaging",
    );
  });
});
