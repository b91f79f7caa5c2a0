import { expect, test } from "bun:test";
import { WorkQueue } from "#services/sequencer/work-queue.ts";

test("runs work in order, one at a time", async () => {
  const log: string[] = [];
  const queue = new WorkQueue<string>(async (name) => {
    log.push(`begin ${name}`);
    await Bun.sleep(1);
    log.push(`end ${name}`);
  });
  void queue.add("a");
  await queue.add("b");
  expect(log).toEqual(["begin a", "end a", "begin b", "end b"]);
});

test("lets the thread handle other messages between two pieces of work", async () => {
  const log: string[] = [];
  const queue = new WorkQueue<string>(async (name) => void log.push(name));
  void queue.add("a");
  const last = queue.add("b");
  setImmediate(() => log.push("message"));
  await last;
  expect(log).toContain("message");
  expect(log.indexOf("message")).toBeLessThan(log.indexOf("b"));
});

test("finishes work within the deadline at a stop, and drops the rest", async () => {
  let nowMs = 0;
  const done: number[] = [];
  const queue = new WorkQueue<number>(
    async (item) => {
      nowMs += 400;
      done.push(item);
    },
    () => nowMs,
  );
  for (let i = 0; i < 5; i++) void queue.add(i);
  await queue.stop(1_000);
  expect(done).toEqual([0, 1, 2]);
});

test("does nothing after failed work", async () => {
  const done: number[] = [];
  const queue = new WorkQueue<number>(async (item) => {
    if (item === 1) throw new RangeError("disk full");
    done.push(item);
  });
  const results = await Promise.allSettled([0, 1, 2].map((item) => queue.add(item)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  await queue.stop(0);
  expect(done).toEqual([0]);
});
