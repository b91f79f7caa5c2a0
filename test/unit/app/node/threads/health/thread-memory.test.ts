import { describe, expect, test } from "bun:test";
import { numberOfDFGCompiles } from "bun:jsc";
import { ThreadMemory, threadMemoryPorts } from "#app/node/threads/health/thread-memory.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const LOOK_MS = 500;

/** A thread whose work the test sets for each look, and the memory actions it took. */
class WatchedThread {
  readonly timer = new FakeTimer();
  readonly done: string[] = [];
  collectionMs = 4;
  residentBytes = 0;
  #processorMs = 0;
  /** By which the next look is later than half a second after this one. */
  #lateMs = 0;
  readonly memory = new ThreadMemory({
    timer: this.timer,
    processorMs: () => this.#processorMs,
    residentBytes: () => this.residentBytes,
    collect: () => {
      this.done.push("collect");
      this.#take(this.collectionMs);
    },
    reclaim: () => {
      this.done.push("reclaim");
      this.#take(this.collectionMs);
    },
    release: () => {
      this.done.push("release");
      this.#take(this.collectionMs);
    },
    discardCode: () => void this.done.push("discard"),
  });

  constructor() {
    this.memory.start();
  }

  /** Looks at a thread that works this many milliseconds of each interval. */
  looks(count: number, workMs: number): readonly string[] {
    this.done.length = 0;
    for (let i = 0; i < count; i++) {
      this.#processorMs += workMs;
      const lateMs = this.#lateMs;
      this.#lateMs = 0;
      this.timer.advance(LOOK_MS + lateMs);
    }
    return [...this.done];
  }

  #take(forMs: number): void {
    this.#processorMs += forMs;
    this.timer.advance(forMs);
    this.#lateMs += forMs;
  }
}

test("collects garbage after each 1.5 s of work", () => {
  const thread = new WatchedThread();
  expect(thread.looks(3, 490)).toEqual([]);
  expect(thread.looks(1, 30)).toEqual(["collect"]);
  expect(thread.looks(12, 375)).toEqual(["collect", "collect", "collect"]);
});

test("returns memory to the system soon when that of the process grows fast", () => {
  const thread = new WatchedThread();
  thread.residentBytes = 600 << 20;
  thread.looks(1, 100);
  thread.residentBytes = 900 << 20;
  thread.timer.advance(200);
  expect(thread.done).toEqual(["reclaim"]);
  thread.memory.stop();
  expect(thread.timer.alarms).toBe(0);
});

test("spends at most a fiftieth of the time on collections", () => {
  const thread = new WatchedThread();
  thread.collectionMs = 100;
  expect(thread.looks(3, 500)).toEqual(["collect"]);
  // 50 times 100 ms after the collection ended.
  expect(thread.looks(9, 500)).toEqual([]);
  expect(thread.looks(2, 500)).toEqual(["collect"]);
});

test("releases memory once a thread that has worked is idle for four seconds", () => {
  const thread = new WatchedThread();
  thread.looks(2, 300);
  expect(thread.looks(7, 5)).toEqual([]);
  expect(thread.looks(1, 5)).toEqual(["release"]);
  expect(thread.looks(60, 5)).toEqual([]);
});

describe("compiled code", () => {
  test("is discarded, and then its memory released, once a thread that has worked is almost idle for 15 s", () => {
    const thread = new WatchedThread();
    thread.looks(2, 300);
    expect(thread.looks(29, 1)).toEqual(["release"]);
    expect(thread.looks(1, 1)).toEqual(["discard"]);
    expect(thread.looks(1, 1)).toEqual(["release"]);
    expect(thread.looks(100, 1)).toEqual([]);
  });

  test("is kept while there is a little work all the time", () => {
    const thread = new WatchedThread();
    thread.looks(2, 300);
    expect(thread.looks(200, 4)).not.toContain("discard");
    expect(thread.looks(30, 0)).toContain("discard");
  });

  test("is not discarded again before the thread has worked for half a second", () => {
    const thread = new WatchedThread();
    thread.looks(2, 300);
    thread.looks(60, 0);
    thread.looks(1, 400);
    expect(thread.looks(100, 0)).not.toContain("discard");
    thread.looks(1, 400);
    expect(thread.looks(100, 0)).toContain("discard");
  });
});

test("restarts the four seconds after work in between", () => {
  const thread = new WatchedThread();
  thread.looks(2, 300);
  expect([...thread.looks(7, 0), ...thread.looks(1, 30), ...thread.looks(7, 0)]).toEqual([]);
  expect(thread.looks(1, 0)).toEqual(["release"]);
});

test("releases memory again only after half a second of work", () => {
  const thread = new WatchedThread();
  thread.looks(2, 300);
  expect(thread.looks(8, 0)).toEqual(["release"]);
  thread.looks(1, 490);
  expect(thread.looks(20, 0)).toEqual([]);
  expect(thread.looks(1, 10)).toEqual(["release"]);
});

test("does nothing once stopped", () => {
  const thread = new WatchedThread();
  thread.memory.stop();
  expect(thread.looks(20, 500)).toEqual([]);
  expect(thread.timer.alarms).toBe(0);
});

test("discards the engine's optimized code after the turn, without changing results", async () => {
  const sum = (count: number): number => {
    let total = 0;
    for (let i = 0; i < count; i++) total += i % 7;
    return total;
  };
  const expected = sum(1_000);
  const isOptimized = (): boolean => numberOfDFGCompiles(sum) > 0;
  const until = async (wanted: boolean, work: () => void): Promise<void> => {
    const deadlineMs = performance.now() + 10_000;
    while (isOptimized() !== wanted && performance.now() < deadlineMs) {
      work();
      await Bun.sleep(1);
    }
    expect(isOptimized()).toBe(wanted);
  };
  await until(true, () => void sum(100_000));
  const ports = threadMemoryPorts({ forget: () => undefined });
  // One attempt may be too early: another compilation can still be in flight.
  await until(false, () => ports.discardCode());
  expect(sum(1_000)).toBe(expected);
});
