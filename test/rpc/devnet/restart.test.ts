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

  test("rejects invalid parameters", async () => {
    expect(await refusedPath(METHOD, { restart_l1_to_l2_messaging: 1 })).toBe(
      "restart_l1_to_l2_messaging",
    );
  });
});
