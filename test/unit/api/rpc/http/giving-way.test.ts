import { expect, test } from "bun:test";
import { expendable, givesWay } from "#api/rpc/http/giving-way.ts";

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

/** Whether a connection that connected this long ago is closed for another address. */
const closes = (ageMs: number, own: number, newcomers: number): boolean =>
  givesWay({ sinceMs: 1_000, mayAsk: false }, { own, newcomers }, 1_000 + ageMs);

test("a recent connection is not closed for an address with more than twice as many", () => {
  expect([closes(150, 1, 3), closes(4_999, 1, 3), closes(5_000, 1, 3)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("a recent connection is closed for an address with at most twice as many", () => {
  expect([closes(150, 1, 2), closes(150, 1, 0), closes(150, 900, 900)]).toEqual([true, true, true]);
});
