import { expect, test } from "bun:test";
import { ProcessorTime, threadProcessorMs } from "#app/node/threads/health/processor-time.ts";

function clockOf() {
  const clock = { nowMs: 1_000 };
  return {
    clock,
    time: new ProcessorTime({ processorMs: () => clock.nowMs, nowMs: () => clock.nowMs }),
  };
}

/** Two clocks that a test moves, and the number of reads of the processor clock. */
function countedClocks() {
  const clock = { processorMs: 1_000, nowMs: 1_000, asked: 0 };
  const time = new ProcessorTime({
    processorMs() {
      clock.asked++;
      return clock.processorMs;
    },
    nowMs: () => clock.nowMs,
  });
  return { clock, time };
}

test("counts from the start of each query, and rings each alarm once", () => {
  const { clock, time } = clockOf();
  let told = 0;
  time.look();
  for (const query of [1, 2]) {
    time.start();
    time.begin([{ afterMs: 40, ring: () => told++ }]);
    clock.nowMs += 40;
    time.look();
    expect(told).toBe(query - 1);
    clock.nowMs += 1;
    time.look();
    time.look();
    expect([told, time.spentMs]).toEqual([query, 41]);
  }
});

test("reads the processor clock only once as much time has passed as the alarm allows", () => {
  const { clock, time } = countedClocks();
  let told = 0;
  const pass = (ms: number, worked: number) => {
    clock.nowMs += ms;
    clock.processorMs += worked;
    time.look();
    return [clock.asked, told];
  };
  time.start();
  time.begin([{ afterMs: 40, ring: () => told++ }]);
  expect([pass(39, 10), pass(1, 0), pass(29, 29), pass(1, 1), pass(1, 1), pass(9, 9)]).toEqual([
    [1, 0],
    [2, 0],
    [2, 0],
    [3, 0],
    [4, 1],
    [4, 1],
  ]);
});

test("rings each alarm when due, several at one look if needed", () => {
  const { clock, time } = clockOf();
  const told: number[] = [];
  const alarms = [5, 40, 60].map((afterMs) => ({ afterMs, ring: () => void told.push(afterMs) }));
  time.start();
  time.begin(alarms);
  clock.nowMs += 6;
  time.look();
  expect(told).toEqual([5]);
  clock.nowMs += 55;
  time.look();
  time.look();
  expect(told).toEqual([5, 40, 60]);
  time.start();
  time.begin(alarms);
  time.look();
  expect(told).toHaveLength(3);
});

test("starts a query at the last reading if it follows another one directly", () => {
  const { clock, time } = countedClocks();
  time.start();
  const spent = [3, 5].map((ms) => {
    time.begin([]);
    clock.processorMs += ms;
    return time.spentMs;
  });
  expect([spent, clock.asked]).toEqual([[3, 5], 3]);
  clock.processorMs += 70;
  time.start();
  time.begin([]);
  expect(time.spentMs).toBe(0);
});

test("does not read the processor clock without alarms", () => {
  const { clock, time } = countedClocks();
  time.start();
  time.begin([]);
  clock.nowMs += 1e9;
  time.look();
  expect(clock.asked).toBe(1);
});

test("counts no processor time while a thread waits, but while it works", async () => {
  const startedMs = threadProcessorMs();
  await Bun.sleep(200);
  const waitedMs = threadProcessorMs() - startedMs;
  expect(waitedMs).toBeLessThan(100);
  while (threadProcessorMs() - startedMs < waitedMs + 20);
});
