import { expect, test } from "bun:test";
import { loadProgress, watchStart } from "#app/node/threads/start-watch.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

function watched(limitMs: number) {
  const timer = new FakeTimer();
  let count = 0;
  let silences = 0;
  const stop = watchStart({
    progress: () => count,
    limitMs,
    onSilence: () => void silences++,
    timer,
  });
  return { timer, stop, beat: () => void count++, silences: () => silences };
}

test("reports silence once, counted from the last sign of progress", () => {
  const { timer, beat, silences } = watched(10_000);
  timer.advance(9_999);
  beat();
  timer.advance(1);
  expect(silences()).toBe(0);
  timer.advance(9_999);
  expect(silences()).toBe(0);
  timer.advance(1);
  timer.advance(100_000);
  expect([silences(), timer.alarms]).toEqual([1, 0]);
});

test("reports nothing after the watch has ended", () => {
  const { timer, stop, silences } = watched(1_000);
  stop();
  timer.advance(100_000);
  expect([silences(), timer.alarms]).toEqual([0, 0]);
});

test("ignores time in which the watching thread was suspended", () => {
  let nowMs = 0;
  let look = (): void => undefined;
  let silences = 0;
  const timer = {
    nowMs: () => nowMs,
    after(_: number, callback: () => void) {
      look = callback;
      return () => undefined;
    },
  };
  watchStart({ progress: () => 0, limitMs: 10_000, onSilence: () => void silences++, timer });
  // As after a stop of the process: the alarm rings before the thread's messages arrive.
  nowMs = 600_000;
  look();
  expect(silences).toBe(0);
  for (let i = 0; i < 8; i++) {
    nowMs += 1_000;
    look();
  }
  expect(silences).toBe(1);
});

test("a loading process shows progress while it works, and none while idle", () => {
  let [nowMs, usedMs] = [0, 0];
  const progress = loadProgress({ processorMs: () => usedMs, nowMs: () => nowMs });
  const after = (used: number): number => {
    nowMs += 1_000;
    usedMs += used;
    return progress();
  };
  expect([after(10), after(50), after(30), after(31)]).toEqual([0, 1, 1, 2]);
});
