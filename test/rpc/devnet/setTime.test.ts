import { describe, expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_setTime";
const TIME = 2_000_000_000;

describe(METHOD, () => {
  test("sets the time and creates a block by default", async () => {
    for (const params of [{ time: TIME }, { time: TIME, generate_block: true }]) {
      const { context, calls } = devnetWorld();
      expect(await askDevnet(METHOD, params, context)).toEqual({
        result: { block_timestamp: TIME, block_hash: "0xb10c" },
      });
      expect(calls).toEqual([["createTimedBlock", { kind: "setTime", timestamp: TIME }]]);
    }
  });

  test("creates no block if `generate_block` is false", async () => {
    const { context, calls } = devnetWorld();
    const params = { time: TIME, generate_block: false };
    expect(await askDevnet(METHOD, params, context)).toEqual({
      result: { block_timestamp: TIME, block_hash: null },
    });
    expect(calls).toEqual([["setTime", TIME]]);
  });

  test("rejects invalid times, and times before the newest block", async () => {
    const { context, calls } = devnetWorld();
    const newest = context.chain.header(1)?.timestamp ?? 0;
    expect(newest).toBeGreaterThan(0);
    for (const time of [newest - 1, -1, 1.5, 253_402_300_800, 1n << 64n, "1", null]) {
      expect([time, await refusedPath(METHOD, { time }, context)]).toEqual([time, "time"]);
    }
    expect(await refusedPath(METHOD, {}, context)).toBe("time");
    expect(await refusedPath(METHOD, { time: TIME, generate_block: 1 })).toBe("generate_block");
    expect(calls).toEqual([]);
    expect(await askDevnet(METHOD, { time: newest }, context)).toHaveProperty("result");
  });
});
