import { expect, test } from "bun:test";
import type { BlockInfo } from "#protocol/chain/index.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import { ValidationBlock } from "#services/admission/validation-block.ts";

/** A block at a clock, with a count of the environments made for the next block. */
function block() {
  const clock = { nowMs: 10_000 };
  const made: number[] = [];
  const validation = new ValidationBlock({
    nextBlockInfo(nowMs) {
      made.push(nowMs);
      return { number: 6, timestamp: nowMs } as BlockInfo;
    },
    nowMs: () => clock.nowMs,
  });
  const infoAbove = (acceptedNumber: number) =>
    validation.infoFor({ acceptedNumber, newest: () => undefined });
  return { clock, made, validation, infoAbove };
}

test("is the newest block above the accepted ones", () => {
  const { validation, made } = block();
  const info = { number: 8 } as BlockInfo;
  const newest = () => ({ info }) as PendingBlock;
  expect(validation.infoFor({ acceptedNumber: 5, newest })).toBe(info);
  expect(made).toEqual([]);
});

test("is otherwise the next block, made once per second and parent", () => {
  const { clock, made, infoAbove } = block();
  const first = infoAbove(5);
  expect(first.timestamp).toBe(10_000);
  clock.nowMs = 10_999;
  expect(infoAbove(5)).toBe(first);
  expect(made).toEqual([10_000]);
  infoAbove(6);
  expect(made).toEqual([10_000, 10_999]);
  clock.nowMs = 11_000;
  infoAbove(6);
  expect(made).toEqual([10_000, 10_999, 11_000]);
});
