import { describe, expect, test } from "bun:test";
import { RequestWindow } from "#io/feeder/client/request-window.ts";

const never = new AbortController().signal;

async function entered(asked: Promise<boolean>): Promise<boolean | "waits"> {
  return Promise.race([asked, Promise.resolve("waits" as const)]);
}

describe("RequestWindow", () => {
  test("admits up to its limit and queues the others in order", async () => {
    const window = new RequestWindow(2);
    const asked = [1, 2, 3, 4].map(() => window.enter(never));
    expect(await Promise.all(asked.map(entered))).toEqual([true, true, "waits", "waits"]);
    window.leave();
    expect(await Promise.all(asked.slice(2).map(entered))).toEqual([true, "waits"]);
    window.leave();
    expect(await asked[3]).toBe(true);
  });

  test("halves the limit once per batch of requests, down to one", () => {
    const window = new RequestWindow(32);
    for (let i = 0; i < 32; i++) window.overloaded(0, 100);
    expect(window.limit).toBe(16);
    for (let i = 0; i < 10; i++) window.overloaded(200 + i, 200 + i);
    expect(window.limit).toBe(1);
  });

  test("raises the limit by one per round of responses, up to the maximum", () => {
    const window = new RequestWindow(8);
    window.overloaded(0, 1);
    expect(window.limit).toBe(4);
    for (let i = 0; i < 5; i++) window.answered();
    expect(window.limit).toBe(5);
    for (let i = 0; i < 1000; i++) window.answered();
    expect(window.limit).toBe(8);
  });

  test("admits no request until enough have left after halving", async () => {
    const window = new RequestWindow(4);
    for (let i = 0; i < 4; i++) expect(await window.enter(never)).toBe(true);
    window.overloaded(0, 1);
    const fifth = window.enter(never);
    window.leave();
    window.leave();
    expect(await entered(fifth)).toBe("waits");
    window.leave();
    expect(await fifth).toBe(true);
  });

  test("skips aborted requests in the queue", async () => {
    const window = new RequestWindow(1);
    expect(await window.enter(never)).toBe(true);
    const stop = new AbortController();
    const second = window.enter(stop.signal);
    const third = window.enter(never);
    stop.abort();
    expect(await second).toBe(false);
    expect(await window.enter(stop.signal)).toBe(false);
    window.leave();
    expect(await third).toBe(true);
  });
});
