import { describe, expect, test } from "bun:test";
import { deadlineOf } from "#io/objects/deadline.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const KIB = 1 << 10;

describe("deadlineOf", () => {
  test("is ten seconds without a transfer", () => {
    const timer = new FakeTimer();
    const deadline = deadlineOf(timer, 0, new AbortController().signal);
    timer.advance(9_999);
    expect([deadline.isOver(), deadline.signal.aborted]).toEqual([false, false]);
    timer.advance(1);
    expect([deadline.isOver(), deadline.signal.aborted]).toEqual([true, true]);
  });

  test("adds a second per 256 KiB sent or received", () => {
    const timer = new FakeTimer();
    const deadline = deadlineOf(timer, 512 * KIB, new AbortController().signal);
    timer.advance(11_000);
    deadline.onProgress(256 * KIB);
    timer.advance(1_999);
    expect(deadline.isOver()).toBe(false);
    timer.advance(1);
    expect(deadline.isOver()).toBe(true);
  });

  test("is not extended by a slower transfer", () => {
    const timer = new FakeTimer();
    const deadline = deadlineOf(timer, 0, new AbortController().signal);
    let tookMs = 0;
    for (; !deadline.isOver() && tookMs < 60_000; tookMs += 100) {
      deadline.onProgress(KIB);
      timer.advance(100);
    }
    expect(tookMs).toBeLessThan(11_000);
  });

  test("aborts with the caller's signal and leaves no alarm behind", () => {
    const timer = new FakeTimer();
    const outer = new AbortController();
    const deadline = deadlineOf(timer, 0, outer.signal);
    outer.abort();
    expect([deadline.isOver(), deadline.signal.aborted]).toEqual([false, true]);
    deadline.end();
    expect(timer.alarms).toBe(0);
    expect(deadlineOf(timer, 0, outer.signal).signal.aborted).toBe(true);
  });
});
