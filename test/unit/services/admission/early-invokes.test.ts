import { describe, expect, test } from "bun:test";
import {
  EARLY_WAIT_MS,
  EarlyInvokes,
  MAX_EARLY,
  MAX_EARLY_BYTES,
  MAX_EARLY_PER_SENDER,
} from "#services/admission/early-invokes.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** Longer than the wait of an invoke, plus one check interval. */
const OVER_MS = EARLY_WAIT_MS + 250;

function world() {
  const timer = new FakeTimer();
  const released: string[] = [];
  const early = new EarlyInvokes<string>({ timer, release: (item) => void released.push(item) });
  return { early, released, timer };
}

describe("an invoke received before its sender's deployment", () => {
  test("is released with its sender's others when the deployment is in the mempool", () => {
    const { early, released, timer } = world();
    early.hold(1n, "a", 10);
    early.hold(2n, "b", 10);
    early.hold(1n, "c", 10);
    early.arrived(3n);
    expect(released).toEqual([]);
    early.arrived(1n);
    expect([released, early.size]).toEqual([["a", "c"], 1]);
    timer.advance(OVER_MS);
    expect(released).toEqual(["a", "c", "b"]);
  });

  test("is released after its maximum wait", () => {
    const { early, released, timer } = world();
    early.hold(1n, "a", 10);
    timer.advance(EARLY_WAIT_MS - 1);
    early.hold(1n, "b", 10);
    expect(released).toEqual([]);
    timer.advance(251);
    expect(released).toEqual(["a"]);
    timer.advance(OVER_MS);
    expect([released, early.size, timer.alarms]).toEqual([["a", "b"], 0, 0]);
  });

  test("waits as long as the deployment is being checked", () => {
    const { early, released, timer } = world();
    early.checking(7, 1n);
    early.hold(1n, "a", 10);
    early.hold(2n, "b", 10);
    timer.advance(60_000);
    expect(released).toEqual(["b"]);
    early.checked(7);
    timer.advance(250);
    expect([released, timer.alarms]).toEqual([["b", "a"], 0]);
  });

  test("is forgotten when the service stops", () => {
    const { early, released, timer } = world();
    early.hold(1n, "a", 10);
    early.stop();
    timer.advance(OVER_MS);
    expect([released, early.size, timer.alarms]).toEqual([[], 0, 0]);
  });
});

describe("too many early invokes", () => {
  test("of one sender release its oldest", () => {
    const { early, released } = world();
    early.hold(2n, "other", 10);
    for (let i = 0; i < MAX_EARLY_PER_SENDER; i++) early.hold(1n, String(i), 10);
    expect(released).toEqual([]);
    early.hold(1n, "last", 10);
    expect([released, early.size]).toEqual([["0"], MAX_EARLY_PER_SENDER + 1]);
  });

  test("of all senders release the oldest of all", () => {
    const { early, released } = world();
    for (let i = 0; i < MAX_EARLY; i++) early.hold(BigInt(i), String(i), 10);
    expect(released).toEqual([]);
    early.hold(9_999n, "last", 10);
    expect([released, early.size]).toEqual([["0"], MAX_EARLY]);
  });

  test("by total bytes also release the oldest", () => {
    const { early, released } = world();
    early.hold(1n, "small", 1);
    early.hold(2n, "large", MAX_EARLY_BYTES - 1);
    expect(released).toEqual([]);
    early.hold(3n, "next", 2);
    expect(released).toEqual(["small", "large"]);
    early.hold(4n, "too large", MAX_EARLY_BYTES + 1);
    expect([released, early.size]).toEqual([["small", "large", "next", "too large"], 0]);
  });
});
