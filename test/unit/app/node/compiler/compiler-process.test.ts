import { describe, expect, test } from "bun:test";
import { endChild } from "#app/node/compiler/compiler-process.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** A child that ends when the test says so, or is killed. */
function child() {
  const told: string[] = [];
  const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
  const kill = (signal: string): void => {
    told.push(signal);
    exit();
  };
  return { told, exit, exited, kill, stdin: { end: () => void told.push("end") } };
}

describe("the compiler's process", () => {
  test("ends by itself when its input ends, and is waited for", async () => {
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

  test("is killed when it does not end within 300 ms", async () => {
    const [ending, timer] = [child(), new FakeTimer()];
    const ended = endChild(ending, timer);
    timer.advance(300);
    await ended;
    expect(ending.told).toEqual(["end", "SIGKILL"]);
  });
});
