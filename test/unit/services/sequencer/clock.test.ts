import { expect, test } from "bun:test";
import { blockTimestamp, secondsBehind } from "#services/sequencer/index.ts";

const at = (nowMs: number) => ({ nowMs: () => nowMs });

test("a block has the clock's time in whole seconds", () => {
  expect(blockTimestamp(at(1_700_000_001_999), 1_700_000_000)).toBe(1_700_000_001);
});

test("a clock that runs backwards does not take the chain along", () => {
  expect(blockTimestamp(at(1_600_000_000_000), 1_700_000_000)).toBe(1_700_000_000);
});

test("block 0 has no parent to respect", () => {
  expect(blockTimestamp(at(5_000), undefined)).toBe(5);
});

test("a clock is behind a block when it lacks more than a minute to it", () => {
  expect(secondsBehind(at(1_700_000_000_000), 1_700_000_060)).toBeUndefined();
  expect(secondsBehind(at(1_699_999_999_999), 1_700_000_060)).toBe(61);
  expect(secondsBehind(at(1_800_000_000_000), 1_700_000_060)).toBeUndefined();
});
