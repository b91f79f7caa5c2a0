import { expect, test } from "bun:test";
import { Cancellation } from "#app/node/query/cancellation.ts";

test("is told by the flag when a read looks at it, and holds until the next query", () => {
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

test("is told by the machine", () => {
  const cancellation = new Cancellation(new Int32Array(1), () => undefined);
  const outcome = { kind: "succeeded" };
  expect(cancellation.noted(outcome)).toBe(outcome);
  expect(cancellation.isCancelled).toBe(false);
  cancellation.noted({ kind: "cancelled" });
  expect(cancellation.isCancelled).toBe(true);
});

test("lets others look whenever a read looks at the flag", () => {
  let looks = 0;
  const cancellation = new Cancellation(new Int32Array(1), () => looks++);
  cancellation.isStopped();
  cancellation.isStopped();
  expect(looks).toBe(2);
});
