import { expect, test } from "bun:test";
import { PriorityQueue } from "#services/admission/mempool/index.ts";

test("removing an absent item returns false and changes nothing", () => {
  const queue = new PriorityQueue<number>((a, b) => a < b);
  for (const item of [3, 1, 2]) queue.update(item);
  expect(queue.remove(9)).toBe(false);
  expect(queue.remove(1)).toBe(true);
  expect(queue.remove(1)).toBe(false);
  expect(queue.peek()).toBe(2);
});
