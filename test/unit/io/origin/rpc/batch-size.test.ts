import { expect, test } from "bun:test";
import { BatchSize } from "#io/origin/rpc/batch-size.ts";

/** Records `count` full batches that were answered. */
function answer(size: BatchSize, count: number): void {
  for (let i = 0; i < count; i++) size.answered(size.limit);
}

test("starts at the maximum, and halves after each failure, down to one call", () => {
  const size = new BatchSize(5);
  const limits = [size.limit];
  for (let i = 0; i < 3; i++) {
    size.failed(size.limit);
    limits.push(size.limit);
  }
  expect(limits).toEqual([5, 2, 1, 1]);
});

test("doubles after eight full batches, and after twice as many for each further failure", () => {
  const size = new BatchSize(200);
  size.failed(200);
  size.failed(100);
  expect(size.limit).toBe(50);
  // The second failure doubles the count.
  answer(size, 15);
  expect(size.limit).toBe(50);
  answer(size, 1);
  expect(size.limit).toBe(100);
});

test("does not grow after batches that are not full", () => {
  const size = new BatchSize(100);
  size.failed(100);
  for (let i = 0; i < 100; i++) size.answered(49);
  expect(size.limit).toBe(50);
});

test("never tries a size again that was rejected as a batch", () => {
  const size = new BatchSize(100);
  size.rejected(100);
  answer(size, 8);
  expect(size.limit).toBe(99);
  answer(size, 100);
  expect(size.limit).toBe(99);
});
