import { describe, expect, test } from "bun:test";
import { hasReached, positionAt, type ReadPosition } from "#engine/state/index.ts";
import { PositionGate } from "#services/admission/position-gate.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** A thread without a message for this long is considered broken. */
const TIMEOUT_MS = 5_000;

const at = (
  accepted: number,
  blockNumber: number,
  sequence: number,
  generation = 0,
): ReadPosition => ({ accepted, blockNumber, sequence, generation });

/** Value that a promise settles with in the current turn. */
const soon = <T>(promise: Promise<T> | undefined): Promise<T | "waits" | undefined> =>
  Promise.race([promise, Bun.sleep(0).then(() => "waits" as const)]);

describe("a position is reached", () => {
  const cases: readonly [string, ReadPosition, ReadPosition, boolean][] = [
    ["by itself", at(5, 7, 2), at(5, 7, 2), true],
    ["by a later delta of the block", at(5, 7, 3), at(5, 7, 2), true],
    ["not by an earlier delta of the block", at(5, 7, 1), at(5, 7, 2), false],
    ["by a delta of a later block", at(5, 8, 0), at(5, 7, 2), true],
    ["not by a late delta of an earlier block", at(5, 6, 9), at(5, 7, 2), false],
    ["by the acceptance of its block, without its deltas", at(7, 6, 9), at(5, 7, 2), true],
    ["not without an accepted block", at(4, 9, 9), at(5, 5, 0), false],
    ["not by acceptance of the block before", at(6, 6, 9), at(5, 7, 0), false],
    ["by a later generation", at(5, 5, 0, 1), at(5, 7, 2), true],
    ["not by an earlier generation", at(5, 7, 2), at(5, 6, 0, 1), false],
    ["not by a later generation before its block is accepted", at(5, 5, 0, 1), at(6, 7, 2), false],
    ["by the usual rules within a later generation", at(5, 6, 1, 1), at(5, 6, 2, 1), false],
    ["before there are blocks", positionAt(-1), positionAt(-1), true],
    ["not before block 0 is seen", positionAt(-1), at(-1, 0, 0), false],
  ];
  test.each(cases)("%s", (_, now, wanted, expected) => {
    expect(hasReached(now, wanted)).toBe(expected);
  });
});

describe("a gate", () => {
  test("admits a reached position immediately", () => {
    const gate = new PositionGate(5, new FakeTimer());
    gate.delta(6, 0);
    expect(gate.reach(at(5, 6, 0))).toBeUndefined();
  });

  test("resolves the waits whose position was reached, and no others", async () => {
    const gate = new PositionGate(5, new FakeTimer());
    const order: string[] = [];
    const wait = (name: string, wanted: ReadPosition) =>
      gate.reach(wanted)?.then((isReached) => void order.push(`${name} ${isReached}`));
    const delta = wait("delta", at(5, 6, 1));
    void wait("block", at(6, 6, 1));
    gate.delta(6, 0);
    await Promise.resolve();
    expect(order).toEqual([]);
    gate.delta(6, 1);
    await delta;
    expect(order).toEqual(["delta true"]);
    gate.accepted(6);
    await Bun.sleep(0);
    expect(order).toEqual(["delta true", "block true"]);
  });

  test("does not move back on late deltas or announcements of earlier blocks", () => {
    const gate = new PositionGate(5, new FakeTimer());
    gate.delta(8, 3);
    gate.accepted(7);
    gate.delta(7, 9);
    gate.delta(8, 1);
    gate.accepted(6);
    expect(gate.position).toEqual(at(7, 8, 3));
  });

  test("rejects a wait after five seconds and forgets it", async () => {
    const timer = new FakeTimer();
    const gate = new PositionGate(5, timer);
    const waiting = gate.reach(at(6, 6, 0));
    timer.advance(TIMEOUT_MS - 1);
    expect(await Promise.race([waiting, Promise.resolve("waits")])).toBe("waits");
    timer.advance(1);
    expect(await soon(waiting)).toBe(false);
    gate.accepted(6);
    expect(gate.position.accepted).toBe(6);
  });

  test("cancels the alarm of a resolved wait", () => {
    const timer = new FakeTimer();
    const gate = new PositionGate(5, timer);
    void gate.reach(at(6, 6, 0));
    gate.accepted(6);
    expect(timer.alarms).toBe(0);
  });
});

test("a timed-out wait does not affect later ones", async () => {
  const timer = new FakeTimer();
  const gate = new PositionGate(3, timer);
  const early = gate.reach(at(4, 4, 0));
  timer.advance(1);
  const late = gate.reach(at(4, 4, 0));
  timer.advance(TIMEOUT_MS - 1);
  expect(await soon(early)).toBe(false);
  gate.accepted(4);
  expect(await late).toBe(true);
  expect(timer.alarms).toBe(0);
});
