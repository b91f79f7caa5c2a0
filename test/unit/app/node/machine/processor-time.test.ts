import { expect, test } from "bun:test";
import { ProcessorTime, threadProcessorMs } from "#app/node/machine/processor-time.ts";

function clockOf() {
  const clock = { nowMs: 1_000 };
  return { clock, time: new ProcessorTime(() => clock.nowMs) };
}

test("counts from the beginning of each query, and tells once when it is over", () => {
  const { clock, time } = clockOf();
  let told = 0;
  time.look();
  for (const query of [1, 2]) {
    time.begin(40, () => told++);
    clock.nowMs += 40;
    time.look();
    expect(told).toBe(query - 1);
    clock.nowMs += 1;
    time.look();
    time.look();
    expect([told, time.spentMs]).toEqual([query, 41]);
  }
});

test("never tells where there is no limit", () => {
  const { clock, time } = clockOf();
  let told = 0;
  time.begin(Number.POSITIVE_INFINITY, () => told++);
  clock.nowMs += 1e9;
  time.look();
  expect(told).toBe(0);
});

test("a thread that waits uses no processor time, one that works does", async () => {
  const startedMs = threadProcessorMs();
  await Bun.sleep(200);
  const waitedMs = threadProcessorMs() - startedMs;
  expect(waitedMs).toBeLessThan(100);
  while (threadProcessorMs() - startedMs < waitedMs + 20);
});
