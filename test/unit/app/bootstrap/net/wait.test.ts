import { expect, test } from "bun:test";
import { waitFor } from "#app/bootstrap/net/wait.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

const { signal } = new AbortController();

test("it is looked at once without waiting, and until it has come about", async () => {
  const waiting = { timer: SYSTEM_TIMER, signal };
  expect(await waitFor(waiting, 0, () => Promise.resolve("there"))).toBe("there");
  let looks = 0;
  const third = () => Promise.resolve(++looks === 3 ? looks : undefined);
  expect(await waitFor(waiting, 60_000, third)).toBe(3);
});

test("it ends without it at the bound", async () => {
  const waiting = { timer: SYSTEM_TIMER, signal };
  let looks = 0;
  const never = () => {
    looks++;
    return Promise.resolve(undefined);
  };
  expect(await waitFor(waiting, 100, never)).toBeUndefined();
  expect(looks).toBeGreaterThan(1);
});

test("it ends at once when it is told to stop", async () => {
  const stop = new AbortController();
  const waiting = { timer: SYSTEM_TIMER, signal: stop.signal };
  const waits = waitFor(waiting, 600_000, () => Promise.resolve(undefined));
  stop.abort();
  expect(await waits.catch(String)).toContain("stopped on request");
});
