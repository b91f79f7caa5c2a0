import { expect, test } from "bun:test";
import { Patience, steadyPatience } from "#io/origin/index.ts";

function world() {
  const clock = { nowMs: 0 };
  const patience = new Patience({
    fullMs: 1_000,
    shortMs: 50,
    pauseMs: 300,
    maxPauseMs: 1_000,
    nowMs: () => clock.nowMs,
  });
  return { clock, patience };
}

test("waits the full time until a wait fails", () => {
  const { patience } = world();
  expect(patience.limitMs()).toBe(1_000);
});

test("waits briefly for a while after a failure, then fully again", () => {
  const { clock, patience } = world();
  patience.failed();
  expect(patience.limitMs()).toBe(50);
  clock.nowMs = 299;
  expect(patience.limitMs()).toBe(50);
  clock.nowMs = 300;
  expect(patience.limitMs()).toBe(1_000);
});

test("short waits in vain do not postpone the next full wait", () => {
  const { clock, patience } = world();
  patience.failed();
  clock.nowMs = 200;
  patience.failed();
  clock.nowMs = 300;
  expect(patience.limitMs()).toBe(1_000);
});

/** Fails a full wait, and returns the time until the next full wait. */
function pauseAfterFailure({ clock, patience }: ReturnType<typeof world>): number {
  patience.failed();
  const startMs = clock.nowMs;
  while (patience.limitMs() < 1_000) clock.nowMs += 50;
  return clock.nowMs - startMs;
}

test("full waits in vain become rarer, up to a limit", () => {
  const tried = world();
  const pauses = Array.from({ length: 4 }, () => pauseAfterFailure(tried));
  expect(pauses).toEqual([300, 600, 1_000, 1_000]);
});

test("full waits are frequent again once the origin has returned a value", () => {
  const tried = world();
  pauseAfterFailure(tried);
  tried.patience.arrived(50);
  expect(pauseAfterFailure(tried)).toBe(600);
  tried.patience.arrived(51);
  expect(pauseAfterFailure(tried)).toBe(300);
});

test("a steady patience has one limit", () => {
  const patience = steadyPatience(7);
  patience.failed();
  expect(patience.limitMs()).toBe(7);
});
