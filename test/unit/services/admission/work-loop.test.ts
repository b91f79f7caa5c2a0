import { expect, test } from "bun:test";
import { SLICE_MS, WorkLoop } from "#services/admission/work-loop.ts";

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Clock that advances by a slice at every read. */
function passing(): () => number {
  let nowMs = 0;
  return () => (nowMs += SLICE_MS);
}

test("messages that arrive are handled between two items", async () => {
  const events: string[] = [];
  const loop = new WorkLoop<number>({
    work: (item) => void events.push(`work ${item}`),
    afterEach: () => undefined,
    onFailure: () => undefined,
    nowMs: passing(),
  });
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = () => void events.push("message");
  for (let i = 0; i < 50; i++) loop.push(i);
  port1.postMessage(0);
  while (!loop.isIdle) await turn();
  port2.close();
  expect(events.filter((event) => event !== "message")).toEqual(
    Array.from({ length: 50 }, (_, i) => `work ${i}`),
  );
  expect(events.indexOf("message")).toBeWithin(0, 49);
});

test("reports after each item whether more are queued", async () => {
  const idle: boolean[] = [];
  const loop = new WorkLoop<number>({
    work: () => undefined,
    afterEach: (isIdle) => void idle.push(isIdle),
    onFailure: () => undefined,
    nowMs: passing(),
  });
  for (let i = 0; i < 3; i++) loop.push(i);
  while (!loop.isIdle) await turn();
  expect(idle).toEqual([false, false, true]);
});

test("queued items can be dropped", async () => {
  const done: number[] = [];
  const loop = new WorkLoop<number>({
    work: (item) => void done.push(item),
    afterEach: () => undefined,
    onFailure: () => undefined,
    nowMs: passing(),
  });
  for (let i = 0; i < 3; i++) loop.push(i);
  await turn();
  loop.drop();
  expect(loop.isIdle).toBe(true);
  for (let i = 0; i < 6; i++) await turn();
  expect(done).toEqual([0]);
});

test("an item that throws is reported and stops the loop", async () => {
  const failures: unknown[] = [];
  const done: number[] = [];
  const loop = new WorkLoop<number>({
    work(item) {
      if (item === 1) throw new RangeError("broken");
      done.push(item);
    },
    afterEach: () => undefined,
    onFailure: (error) => void failures.push(error),
    nowMs: passing(),
  });
  for (let i = 0; i < 3; i++) loop.push(i);
  for (let i = 0; i < 6; i++) await turn();
  expect([done, failures.length]).toEqual([[0], 1]);
});

test("quick items are done in one turn, up to a slice", async () => {
  const done: number[] = [];
  let nowMs = 0;
  const loop = new WorkLoop<number>({
    work(item) {
      done.push(item);
      nowMs += SLICE_MS / 4;
    },
    afterEach: () => undefined,
    onFailure: () => undefined,
    nowMs: () => nowMs,
  });
  for (let i = 0; i < 6; i++) loop.push(i);
  await turn();
  expect(done).toEqual([0, 1, 2, 3]);
  await turn();
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
});
