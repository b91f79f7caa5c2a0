import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { clockLag, requireClock } from "#app/node/storage/chain/require-clock.ts";
import { EMPTY_CHAIN, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

const newest = SAMPLE_CHAIN.header(SAMPLE_CHAIN.latestNumber() ?? -1);
const NEWEST_MS = (newest?.timestamp ?? 0) * 1000;
const at = (nowMs: number) => ({ nowMs: () => nowMs });

describe("the clock of a block producer", () => {
  test("may be up to a minute behind the newest block, and any time ahead", () => {
    for (const nowMs of [NEWEST_MS - 60_000, NEWEST_MS, NEWEST_MS + 1e12]) {
      expect(clockLag(SAMPLE_CHAIN, at(nowMs))).toBeUndefined();
      requireClock(SAMPLE_CHAIN, at(nowMs));
    }
  });

  test("is refused if further behind, with the remedy", () => {
    const blockNumber = newest?.number ?? -1;
    expect(clockLag(SAMPLE_CHAIN, at(NEWEST_MS - 60_001))).toEqual({ blockNumber, seconds: 61 });
    const start = (): void => requireClock(SAMPLE_CHAIN, at(NEWEST_MS - 7_200_000));
    expect(start).toThrow(NodeError);
    expect(start).toThrow(
      `the clock is 7200 s behind block ${blockNumber}, the newest one: no blocks are produced; set the clock, or give --trust-clock`,
    );
  });

  test("is not checked before the first block", () => {
    expect(clockLag(EMPTY_CHAIN, at(0))).toBeUndefined();
  });
});
