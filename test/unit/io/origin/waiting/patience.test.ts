import { expect, test } from "bun:test";
import { Patience, steadyPatience } from "#io/origin/index.ts";

function world() {
  const clock = { nowMs: 0 };
  const patience = new Patience({
    fullMs: 1_000,
    shortMs: 50,
    pauseMs: 300,
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

test("a steady patience has one limit", () => {
  const patience = steadyPatience(7);
  patience.failed();
  expect(patience.limitMs()).toBe(7);
});
