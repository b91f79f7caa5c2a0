import { expect, test } from "bun:test";
import { expendable } from "#api/rpc/http/giving-way.ts";

/** A connection in the middle of a long body that waits for the budget, since `pausedSinceMs`. */
const waiting = (pausedSinceMs: number) =>
  expendable(
    {
      phase: "open",
      isBlocked: false,
      isAnswering: true,
      arriving: "body",
      pausedFor: "budget",
    },
    { openedMs: 0, activeMs: 0, pausedSinceMs, isSlow: false, isReading: true },
    10_000,
  );

test("a connection whose body has just begun to wait for the budget does not give way", () => {
  expect(waiting(8_500)).toBeUndefined();
});

test("a connection whose body waits for the budget for seconds gives way: its client may be gone", () => {
  expect(waiting(7_900)).toEqual({ sinceMs: 0, mayAsk: false });
});
