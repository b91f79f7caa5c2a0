import { expect, test } from "bun:test";
import { FairQueue } from "#services/admission/submission/fair-queue.ts";

test("an item is removed from any place; the others keep their order", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a", "b", "c"]) queue.push({ sender: 1n, sizeBytes: 10, item }, "plain");
  queue.push({ sender: 2n, sizeBytes: 10, item: "d" }, "doubtful");
  queue.remove(1n, "b");
  queue.remove(1n, "b");
  queue.remove(1n, "d");
  queue.remove(3n, "a");
  expect([queue.count, queue.sizeBytes, queue.countFrom(1n)]).toEqual([3, 30, 2]);
  queue.remove(2n, "d");
  expect([queue.countOf("doubtful"), queue.largestOf("doubtful", "count")]).toEqual([0, undefined]);
  expect([queue.shift()?.item, queue.shift()?.item, queue.shift()]).toEqual(["a", "c", undefined]);
  expect([queue.count, queue.sizeBytes]).toEqual([0, 0]);
});
