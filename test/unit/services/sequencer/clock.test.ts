import { expect, test } from "bun:test";
import { blockTimestamp, secondsBehind } from "#services/sequencer/index.ts";

const at = (nowMs: number) => ({ nowMs: () => nowMs });

test("a block has the clock's time in whole seconds", () => {
  expect(blockTimestamp(at(1_700_000_001_999), 1_700_000_000)).toBe(1_700_000_001);
});

test("a timestamp never falls when the clock runs backwards", () => {
  expect(blockTimestamp(at(1_600_000_000_000), 1_700_000_000)).toBe(1_700_000_000);
});

test("block 0 has no parent to respect", () => {
  expect(blockTimestamp(at(5_000), undefined)).toBe(5);
});

test("a clock is behind a block if it lacks more than a minute", () => {
  expect(secondsBehind(at(1_700_000_000_000), 1_700_000_060)).toBeUndefined();
  expect(secondsBehind(at(1_699_999_999_999), 1_700_000_060)).toBe(61);
  expect(secondsBehind(at(1_800_000_000_000), 1_700_000_060)).toBeUndefined();
});
