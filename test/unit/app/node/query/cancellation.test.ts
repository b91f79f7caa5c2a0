import { expect, test } from "bun:test";
import { Cancellation } from "#app/node/query/cancellation.ts";

test("a cancelled query stops at its next read and stays cancelled", () => {
  const flag = new Int32Array(1);
  const cancellation = new Cancellation(flag, () => undefined);
  expect([cancellation.isStopped(), cancellation.isCancelled]).toEqual([false, false]);
  flag[0] = 1;
  expect(cancellation.isCancelled).toBe(false);
  expect([cancellation.isStopped(), cancellation.isCancelled]).toEqual([true, true]);
  flag[0] = 0;
  expect([cancellation.isStopped(), cancellation.isCancelled]).toEqual([true, true]);
  cancellation.begin();
  expect([cancellation.isStopped(), cancellation.isCancelled]).toEqual([false, false]);
});

test("a cancelled machine run cancels the query", () => {
  const cancellation = new Cancellation(new Int32Array(1), () => undefined);
  const outcome = { kind: "succeeded" };
  expect(cancellation.noted(outcome)).toBe(outcome);
  expect(cancellation.isCancelled).toBe(false);
  cancellation.noted({ kind: "cancelled" });
  expect(cancellation.isCancelled).toBe(true);
});

test("each read of the flag runs the look callback", () => {
  let looks = 0;
  const cancellation = new Cancellation(new Int32Array(1), () => looks++);
  cancellation.isStopped();
  cancellation.isStopped();
  expect(looks).toBe(2);
});
