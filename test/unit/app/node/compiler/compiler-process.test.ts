import { describe, expect, test } from "bun:test";
import { endChild } from "#app/node/compiler/compiler-process.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** A child that exits when the test says so, or is killed. */
function child() {
  const told: string[] = [];
  const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
  const kill = (signal: string): void => {
    told.push(signal);
    exit();
  };
  return { told, exit, exited, kill, stdin: { end: () => void told.push("end") } };
}

describe("ending the compiler process", () => {
  test("waits until it exits after the end of its input", async () => {
    const [ending, timer] = [child(), new FakeTimer()];
    let isOver = false;
    const ended = endChild(ending, timer).then(() => (isOver = true));
    timer.advance(299);
    await Bun.sleep(0);
    expect([ending.told, isOver]).toEqual([["end"], false]);
    ending.exit();
    await ended;
    expect([ending.told, timer.alarms]).toEqual([["end"], 0]);
  });

  test("kills it if it does not exit within 300 ms", async () => {
    const [ending, timer] = [child(), new FakeTimer()];
    const ended = endChild(ending, timer);
    timer.advance(300);
    await ended;
    expect(ending.told).toEqual(["end", "SIGKILL"]);
  });
});
