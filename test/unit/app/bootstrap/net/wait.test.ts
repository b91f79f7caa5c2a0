import { expect, test } from "bun:test";
import { waitFor } from "#app/bootstrap/net/wait.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

const { signal } = new AbortController();

test("checks immediately, then polls until there is a result", async () => {
  const waiting = { timer: SYSTEM_TIMER, signal };
  expect(await waitFor(waiting, 0, () => Promise.resolve("there"))).toBe("there");
  let looks = 0;
  const third = () => Promise.resolve(++looks === 3 ? looks : undefined);
  expect(await waitFor(waiting, 60_000, third)).toBe(3);
});

test("returns nothing at the deadline", async () => {
  const waiting = { timer: SYSTEM_TIMER, signal };
  let looks = 0;
  const never = () => {
    looks++;
    return Promise.resolve(undefined);
  };
  expect(await waitFor(waiting, 100, never)).toBeUndefined();
  expect(looks).toBeGreaterThan(1);
});

test("fails immediately on abort", async () => {
  const stop = new AbortController();
  const waiting = { timer: SYSTEM_TIMER, signal: stop.signal };
  const waits = waitFor(waiting, 600_000, () => Promise.resolve(undefined));
  stop.abort();
  expect(await waits.catch(String)).toContain("stopped on request");
});
