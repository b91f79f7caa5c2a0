import { expect, test } from "bun:test";
import { Turns } from "#base/primitives/index.ts";

test("work starts after all earlier work has ended", async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<string>();
  const notes: string[] = [];
  const one = turns.run(() => first.promise.finally(() => notes.push("first ended")));
  const two = turns.run(() => notes.push("second started"));
  await Bun.sleep(0);
  expect(notes).toEqual([]);
  first.resolve("one");
  expect(await one).toBe("one");
  await two;
  expect(notes).toEqual(["first ended", "second started"]);
});

test("work runs after an item that failed, whose error only its caller receives", async () => {
  const turns = new Turns();
  const failed = turns.run(() => Promise.reject(new RangeError("out of range")));
  const next = turns.run(() => 2);
  expect(failed).rejects.toThrow("out of range");
  expect(await next).toBe(2);
  await turns.idle();
});

test("a throw of the work rejects its promise", async () => {
  const turns = new Turns();
  const failed = turns.run(() => {
    throw new RangeError("out of range");
  });
  expect(failed).rejects.toThrow("out of range");
  await turns.idle();
});

test("turns are idle once the last work has ended", async () => {
  const turns = new Turns();
  const work = Promise.withResolvers<void>();
  let isIdle = false;
  void turns.run(() => work.promise);
  const idle = turns.idle().then(() => (isIdle = true));
  await Bun.sleep(0);
  expect(isIdle).toBe(false);
  work.resolve();
  await idle;
  expect(isIdle).toBe(true);
});
