import { describe, expect, test } from "bun:test";
import { LAST_RESORT_MS, Lifecycle } from "#app/node/setup/lifecycle.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

function node(...stops: (() => void | Promise<void>)[]) {
  const disposables = new AsyncDisposableStack();
  for (const stop of stops) disposables.defer(stop);
  const lines: string[] = [];
  const log = createLogger({ level: "debug", format: "text", write: (line) => lines.push(line) });
  const exits: number[] = [];
  const timer = new FakeTimer();
  const lifecycle = new Lifecycle({
    disposables,
    log,
    timer,
    exit: (code) => void exits.push(code),
  });
  return { lifecycle, lines, exits, timer };
}

/** Lifecycle of a node whose parts the test adds. */
function endOf(disposables: AsyncDisposableStack): Lifecycle {
  const log = createLogger({ level: "error", format: "text", write: () => undefined });
  return new Lifecycle({ disposables, log, timer: new FakeTimer(), exit: () => undefined });
}

const never = () => new Promise<void>(() => undefined);

test("a deposed sequencer logs its successor and exits with code 4", async () => {
  const { lifecycle, lines } = node();
  lifecycle.depose("another sequencer leads", { epoch: 7, gateway: "http://b" });
  lifecycle.fail("late");
  expect(await lifecycle.closed).toBe(4);
  expect(lines.join("\n")).toMatch(/another sequencer leads.*epoch=7.*gateway=http:\/\/b/);
});

describe("a start that is interrupted by the end", () => {
  test("keeps the exit code if a part is added after the stop", async () => {
    const disposables = new AsyncDisposableStack();
    const lifecycle = endOf(disposables);
    disposables.defer(() => Bun.sleep(20));
    await lifecycle.start(async () => {
      lifecycle.depose("another sequencer leads", {});
      await Bun.sleep(1);
      disposables.defer(never);
    });
    expect(await lifecycle.closed).toBe(4);
  });

  test("does not wait for a part that never starts", async () => {
    const { lifecycle } = node();
    const started = lifecycle.start(never);
    lifecycle.refuse("the store of another chain");
    await started;
    expect(await lifecycle.closed).toBe(2);
  });

  test("still throws if the start itself fails", async () => {
    const { lifecycle } = node();
    const started = lifecycle.start(() => Promise.reject(new RangeError("no port")));
    expect(await started.catch(String)).toContain("no port");
    expect(lifecycle.isStopping).toBe(false);
  });
});

describe("an orderly stop", () => {
  test("stops parts in reverse order of their start, with exit code 0", async () => {
    const order: string[] = [];
    const { lifecycle, lines } = node(
      () => void order.push("first"),
      async () => {
        await Bun.sleep(1);
        order.push("second");
      },
    );
    lifecycle.stop();
    expect(lifecycle.isStopping).toBe(true);
    expect(await lifecycle.closed).toBe(0);
    expect(order).toEqual(["second", "first"]);
    expect(lines.join("\n")).toContain("stopped");
  });

  test("runs once and keeps its exit code if requested twice or followed by a failure", async () => {
    let stops = 0;
    const { lifecycle } = node(() => void stops++);
    lifecycle.stop();
    lifecycle.stop();
    lifecycle.fail("late");
    expect([await lifecycle.closed, stops]).toEqual([0, 1]);
  });

  test("has exit code 1 if a part cannot stop, and stops the others", async () => {
    let stops = 0;
    const { lifecycle, lines } = node(
      () => void stops++,
      () => Promise.reject(new RangeError("stuck")),
    );
    lifecycle.stop();
    expect([await lifecycle.closed, stops]).toEqual([1, 1]);
    expect(lines.join("\n")).toContain("stuck");
    expect(lines.join("\n")).not.toContain("stopped");
  });
});

describe("a failure", () => {
  test("stops everything with exit code 1 and logs the reason", async () => {
    let stops = 0;
    const { lifecycle, lines } = node(() => void stops++);
    lifecycle.fail(new RangeError("the disk is full"));
    expect([await lifecycle.closed, stops]).toEqual([1, 1]);
    expect(lines.join("\n")).toContain("the disk is full");
  });

  test("of several parts is logged once", async () => {
    const { lifecycle, lines } = node();
    lifecycle.fail("first");
    lifecycle.fail("second");
    await lifecycle.closed;
    expect(lines.filter((line) => line.includes("a part of it failed"))).toHaveLength(1);
  });
});

describe("the last resort", () => {
  test("exits the process with 1 if a part hangs", () => {
    const { lifecycle, exits, timer, lines } = node(never);
    lifecycle.stop();
    timer.advance(LAST_RESORT_MS - 1);
    expect(exits).toEqual([]);
    timer.advance(1);
    expect(exits).toEqual([1]);
    expect(lines.join("\n")).toContain("did not stop in time");
  });

  test("also applies after a failure", () => {
    const { lifecycle, exits, timer } = node(never);
    lifecycle.fail("dead");
    timer.advance(LAST_RESORT_MS);
    expect(exits).toEqual([1]);
  });

  test("exits a process that stays alive after the stop, with its exit code", async () => {
    const { lifecycle, exits, timer } = node();
    lifecycle.stop();
    await lifecycle.closed;
    timer.advance(LAST_RESORT_MS);
    expect(exits).toEqual([0]);
  });

  test("applies within five seconds", () => {
    expect(LAST_RESORT_MS).toBeLessThan(5_000);
  });
});

test("a refusal exits the node with 2 and logs the reason once", async () => {
  const { lifecycle, lines } = node();
  lifecycle.refuse("it is another chain");
  lifecycle.refuse("it is another chain");
  expect(await lifecycle.closed).toBe(2);
  expect(lines.filter((line) => line.includes("it is another chain"))).toHaveLength(1);
});
