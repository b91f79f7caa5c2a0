import { expect, test } from "bun:test";
import { expendable } from "#api/rpc/http/giving-way.ts";

/** Connection that has waited for the body budget since `pausedSinceMs`, within a long body. */
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

test("a connection is kept when its body has just started to wait for the budget", () => {
  expect(waiting(8_500)).toBeUndefined();
});

test("a connection may be displaced after its body has waited seconds for the budget", () => {
  expect(waiting(7_900)).toEqual({ sinceMs: 0, mayAsk: false });
});
