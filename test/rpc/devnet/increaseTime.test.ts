import { describe, expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_increaseTime";

describe(METHOD, () => {
  test("moves the time forward and creates a block", async () => {
    const { context, calls } = devnetWorld();
    expect(await askDevnet(METHOD, { time: 60 }, context)).toEqual({
      result: { timestamp_increased_by: 60, block_hash: "0xb10c" },
    });
    expect(calls).toEqual([["createTimedBlock", { kind: "increaseTime", seconds: 60 }]]);
  });

  test("rejects invalid times, and times after the year 9999", async () => {
    const maxSeconds = 253_402_300_799 - 2_000_000_000;
    for (const time of [-1, 0.5, maxSeconds + 1, "60", null]) {
      expect([time, await refusedPath(METHOD, { time })]).toEqual([time, "time"]);
    }
    expect(await askDevnet(METHOD, { time: maxSeconds })).toHaveProperty("result");
  });
});
