import { expect, test } from "bun:test";
import { L1Error } from "#base/errors/index.ts";
import { GuardedStep, STALL_MS } from "#services/l1-watch/guarded-step.ts";
import { l1FailureOf } from "#test/helpers/l1-failure.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const OVER = new L1Error("L1_GIVEN_UP", "over", true);

test("returns a response in time, and leaves no alarm", async () => {
  const timer = new FakeTimer();
  const step = new GuardedStep(timer);
  expect(await step.ask(() => Promise.resolve(7))).toBe(7);
  expect(await l1FailureOf(step.ask(() => Promise.reject(OVER)))).toBe(OVER);
  expect(timer.alarms).toBe(0);
  expect(step.isEnded).toBe(false);
});

test("restarts the timeout with every response", async () => {
  const timer = new FakeTimer();
  const step = new GuardedStep(timer);
  const hanging = step.ask(() => new Promise<never>(() => undefined));
  for (let i = 0; i < 5; i++) {
    timer.advance(STALL_MS - 1);
    await step.ask(() => Promise.resolve());
  }
  expect(step.isEnded).toBe(false);
  timer.advance(STALL_MS);
  expect(step.isEnded).toBe(true);
  expect(await l1FailureOf(hanging)).toMatchObject({ code: "L1_STALLED", retryable: true });
});

test("does not count time between requests", async () => {
  const timer = new FakeTimer();
  const step = new GuardedStep(timer);
  await step.ask(() => Promise.resolve());
  timer.advance(10 * STALL_MS);
  expect(await step.ask(() => Promise.resolve(1))).toBe(1);
});

test("sends no request after it was given up", async () => {
  const step = new GuardedStep(new FakeTimer());
  const hanging = step.ask(() => new Promise<never>(() => undefined));
  step.end(OVER);
  expect(await l1FailureOf(hanging)).toBe(OVER);
  let asked = 0;
  const question = (): Promise<number> => Promise.resolve(++asked);
  expect(await l1FailureOf(step.ask(question))).toBe(OVER);
  expect(asked).toBe(0);
});
