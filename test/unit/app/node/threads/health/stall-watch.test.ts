import { describe, expect, test } from "bun:test";
import { createLogger } from "#base/telemetry/index.ts";
import { LOOK_MS, StallWatch } from "#app/node/threads/health/stall-watch.ts";
import type { ThreadName } from "#app/node/threads/protocol.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const STALL_MS = 20_000;

/** Threads that beat each second, except those in `hung`. */
function world(...names: readonly ThreadName[]) {
  const timer = new FakeTimer();
  const lines: string[] = [];
  const stalls: string[] = [];
  const hung = new Set<ThreadName>();
  const counts = new Map(names.map((name) => [name, { count: 0 }]));
  let isRunning = true;
  const watch = new StallWatch({
    pulses: () => (isRunning ? counts : undefined),
    stallTimeoutMs: STALL_MS,
    onStall: (reason) => void stalls.push(reason),
    log: createLogger({ level: "info", format: "text", write: (line) => void lines.push(line) }),
    timer,
  });
  watch.start();
  const pass = (forMs: number): void => {
    for (let ms = 0; ms < forMs; ms += LOOK_MS) {
      for (const [name, pulse] of counts) if (!hung.has(name)) pulse.count++;
      timer.advance(LOOK_MS);
    }
  };
  const run = (value: boolean): void => void (isRunning = value);
  return { timer, lines, stalls, hung, watch, pass, run };
}

describe("the stall watch", () => {
  test.each(["committer", "executor", "admission", "validator-0", "sync"] as const)(
    "reports %s once when it stalls, until it makes progress again",
    (name) => {
      const { lines, stalls, hung, watch, pass } = world("query-0", name);
      pass(60_000);
      hung.add(name);
      pass(STALL_MS - LOOK_MS);
      expect(watch.alarm()).toBeUndefined();
      pass(2 * LOOK_MS);
      expect(watch.alarm()).toContain(`the ${name} thread has made no progress for 21 s`);
      pass(STALL_MS);
      expect(watch.alarm()).toContain("for 41 s");
      expect(stalls).toHaveLength(1);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(`the ${name} thread has made no progress for 20 s`);
      hung.clear();
      pass(LOOK_MS);
      expect(watch.alarm()).toBeUndefined();
      expect(lines[1]).toContain(`the ${name} thread makes progress again`);
    },
  );

  test("ignores threads whose work has separate deadlines", () => {
    const { stalls, hung, pass } = world("query-0", "verifier");
    hung.add("query-0").add("verifier");
    pass(3 * STALL_MS);
    expect(stalls).toEqual([]);
  });

  test("ignores threads while they start or stop", () => {
    const { stalls, hung, pass, run } = world("committer");
    hung.add("committer");
    pass(STALL_MS - 2 * LOOK_MS);
    run(false);
    pass(3 * STALL_MS);
    run(true);
    pass(STALL_MS);
    expect(stalls).toEqual([]);
    pass(LOOK_MS);
    expect(stalls).toHaveLength(1);
  });

  test("ignores time in which the whole process was stopped", () => {
    const timer = new FakeTimer();
    const stalls: string[] = [];
    let pausedMs = 0;
    const watch = new StallWatch({
      pulses: () => new Map([["committer", { count: 0 }]] as const),
      stallTimeoutMs: STALL_MS,
      onStall: (reason) => void stalls.push(reason),
      log: createLogger({ level: "error", format: "text", write: () => undefined }),
      timer: { nowMs: () => timer.nowMs() + pausedMs, after: (ms, ring) => timer.after(ms, ring) },
    });
    watch.start();
    timer.advance(2 * LOOK_MS);
    pausedMs = 600_000;
    timer.advance(LOOK_MS);
    expect(stalls).toEqual([]);
    timer.advance(STALL_MS);
    expect(stalls).toHaveLength(1);
  });

  test("reports nothing after stop", () => {
    const { timer, watch, hung, stalls, pass } = world("committer");
    hung.add("committer");
    watch.stop();
    pass(3 * STALL_MS);
    expect(stalls).toEqual([]);
    expect(timer.alarms).toBe(0);
  });
});
