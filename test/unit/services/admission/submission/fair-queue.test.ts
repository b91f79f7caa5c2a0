import { expect, test } from "bun:test";
import { FairQueue, type Party } from "#services/admission/submission/fair-queue.ts";
import type { Grade } from "#services/admission/submission/sender-grades.ts";

function filled(items: readonly (readonly [sender: bigint, grade: Grade, count: number])[]) {
  const queue = new FairQueue<number>();
  for (const [sender, grade, count] of items) {
    for (let i = 0; i < count; i++) queue.push({ sender, sizeBytes: 10, item: i }, grade);
  }
  return queue;
}

/** Processes `count` items, each at the cost that `costMs` returns for its sender. */
function work(queue: FairQueue<number>, count: number, costMs: (sender: Party) => number) {
  const served: Party[] = [];
  for (let i = 0; i < count; i++) {
    const next = queue.shift();
    if (next === undefined) break;
    queue.charge(next.sender, next.grade, costMs(next.sender));
    served.push(next.sender);
  }
  return served;
}

const times = (served: readonly Party[], sender: bigint) =>
  served.filter((other) => other === sender).length;

test("senders of one grade take turns, however much they have queued", () => {
  const queue = filled([
    [1n, "plain", 1000],
    [2n, "plain", 3],
    [3n, "plain", 3],
  ]);
  const served = work(queue, 9, () => 1);
  for (const sender of [1n, 2n, 3n]) expect(times(served, sender)).toBe(3);
});

test("a sender's own items come in order of arrival", () => {
  const queue = filled([[1n, "plain", 4]]);
  expect([0, 1, 2, 3].map(() => queue.shift()?.item)).toEqual([0, 1, 2, 3]);
  expect(queue.shift()).toBeUndefined();
});

test("a sender whose items cost ten times as much gets a tenth of the turns", () => {
  const queue = filled([
    [1n, "plain", 500],
    [2n, "plain", 500],
  ]);
  const served = work(queue, 220, (sender) => (sender === 1n ? 10 : 1));
  expect(times(served, 1n)).toBeGreaterThanOrEqual(19);
  expect(times(served, 1n)).toBeLessThanOrEqual(21);
});

test("grades share the time by weight: 8 to 4 to 1", () => {
  const queue = filled([
    [1n, "proven", 500],
    [2n, "plain", 500],
    [3n, "doubtful", 500],
  ]);
  const served = work(queue, 130, () => 1);
  expect(times(served, 1n)).toBeWithin(79, 82);
  expect(times(served, 2n)).toBeWithin(39, 42);
  expect(times(served, 3n)).toBeWithin(9, 12);
});

test("the better of two grades with equal used time comes first", () => {
  const queue = filled([
    [1n, "doubtful", 1],
    [2n, "plain", 1],
    [3n, "proven", 1],
  ]);
  expect([0, 1, 2].map(() => queue.shift()?.sender)).toEqual([3n, 2n, 1n]);
});

test("a thousand doubtful senders do not delay one proven sender", () => {
  const queue = new FairQueue<number>();
  for (let sender = 10n; sender < 1010n; sender++) {
    queue.push({ sender, sizeBytes: 1, item: 0 }, "doubtful");
  }
  work(queue, 100, () => 1);
  queue.push({ sender: 1n, sizeBytes: 1, item: 0 }, "proven");
  expect(work(queue, 2, () => 1)).toContain(1n);
});

test("a new sender has neither credit for earlier time nor debt of others", () => {
  const queue = filled([[1n, "plain", 200]]);
  work(queue, 100, () => 1);
  for (let i = 0; i < 100; i++) queue.push({ sender: 2n, sizeBytes: 1, item: i }, "plain");
  const served = work(queue, 20, () => 1);
  expect(times(served, 1n)).toBeWithin(9, 12);
});

test.each([1, 3])("a sender that queues %p items at a time pays their cost", (count) => {
  const queue = filled([[2n, "plain", 300]]);
  let costly = 0;
  for (let i = 0; i < 200; i++) {
    if (queue.countFrom(1n) === 0) {
      for (let j = 0; j < count; j++) queue.push({ sender: 1n, sizeBytes: 1, item: j }, "plain");
    }
    if (work(queue, 1, (sender) => (sender === 1n ? 20 : 1))[0] === 1n) costly++;
  }
  expect(costly).toBeWithin(8, 13);
});

test("a new grade has no credit for earlier time", () => {
  const queue = filled([[1n, "proven", 500]]);
  work(queue, 80, () => 1);
  for (let i = 0; i < 100; i++) queue.push({ sender: 2n, sizeBytes: 1, item: i }, "plain");
  const served = work(queue, 24, () => 1);
  expect(times(served, 1n)).toBeWithin(15, 18);
});

test("a new grade keeps the debts of others", () => {
  const queue = filled([
    [1n, "proven", 50],
    [2n, "plain", 50],
  ]);
  queue.charge(1n, "proven", 800);
  for (let i = 0; i < 50; i++) queue.push({ sender: 3n, sizeBytes: 1, item: i }, "doubtful");
  const served = work(queue, 15, () => 1);
  expect([1n, 2n, 3n].map((sender) => times(served, sender))).toEqual([0, 12, 3]);
});

test("a sender whose last item is dropped keeps its debt", () => {
  const queue = filled([
    [1n, "plain", 1],
    [2n, "plain", 50],
  ]);
  queue.charge(1n, "plain", 10);
  queue.dropFrom(1n);
  queue.push({ sender: 1n, sizeBytes: 1, item: 0 }, "plain");
  expect(work(queue, 12, () => 1).indexOf(1n)).toBeWithin(9, 12);
});

test("a debt is carried over once, and later cost adds to it", () => {
  const queue = filled([[2n, "plain", 500]]);
  queue.charge(1n, "plain", 10);
  queue.push({ sender: 1n, sizeBytes: 1, item: 0 }, "plain");
  queue.push({ sender: 1n, sizeBytes: 1, item: 1 }, "plain");
  // A separate grade begins without debt; the previous debt is gone.
  queue.regrade(1n, "proven");
  queue.regrade(1n, "plain");
  expect(work(queue, 3, () => 1)).toContain(1n);
});

test("a sender without queued items is not the largest", () => {
  const queue = filled([[1n, "plain", 2]]);
  queue.regrade(1n, "doubtful");
  for (const measure of ["count", "sizeBytes"] as const) {
    expect(queue.largestOf("plain", measure)).toBeUndefined();
    expect(queue.largestOf("doubtful", measure)).toBe(1n);
  }
  queue.shift();
  queue.shift();
  for (const measure of ["count", "sizeBytes"] as const) {
    expect(queue.largestOf("doubtful", measure)).toBeUndefined();
  }
});

test("a regraded sender keeps all its items", () => {
  const queue = filled([
    [1n, "plain", 3],
    [2n, "plain", 2],
  ]);
  queue.regrade(1n, "doubtful");
  expect([queue.countOf("plain"), queue.countOf("doubtful"), queue.count]).toEqual([2, 3, 5]);
  queue.push({ sender: 1n, sizeBytes: 5, item: 9 }, "proven");
  expect([queue.countOf("proven"), queue.countOf("doubtful")]).toEqual([4, 0]);
  expect(queue.sizeBytesFrom(1n)).toBe(35);
});

test("the newest item of a sender can be dropped, and counts stay right", () => {
  const queue = filled([
    [1n, "plain", 2],
    [2n, "plain", 3],
  ]);
  expect(queue.largestOf("plain", "count")).toBe(2n);
  expect(queue.dropFrom(2n)?.item).toBe(2);
  expect(queue.dropFrom(3n)).toBeUndefined();
  expect([queue.count, queue.sizeBytes, queue.countFrom(2n)]).toEqual([4, 40, 2]);
  queue.push({ sender: 1n, sizeBytes: 100, item: 5 }, "plain");
  expect(queue.largestOf("plain", "sizeBytes")).toBe(1n);
  expect(queue.largestOf("proven", "count")).toBeUndefined();
});
