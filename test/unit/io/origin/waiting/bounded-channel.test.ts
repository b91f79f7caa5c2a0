import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { BoundedChannel, KnownValues, OriginMissing, type OriginQuery } from "#io/origin/index.ts";

const QUERY: OriginQuery = { kind: "nonce", block: 3, address: 7n };
const VALUE = Buffer.from("value");
const WAIT_MS = 100;
const PAUSE_MS = 1_000;

/** A channel whose origin responds after `delayMs`. */
function worldOf(delayMs: number) {
  const world = { nowMs: 0, delayMs, isStopped: false, waits: [] as number[] };
  const nowMs = (): number => world.nowMs;
  const known = new KnownValues({ maxBytes: 1 << 20, l1AcceptedMs: 1, nowMs });
  const channel = new BoundedChannel({
    known,
    channelOf: (isStopped) => ({
      ask() {
        const startedAtMs = world.nowMs;
        while (world.nowMs - startedAtMs < world.delayMs) {
          world.nowMs++;
          if (!isStopped()) continue;
          world.waits.push(world.nowMs - startedAtMs);
          throw new OriginError("ORIGIN_UNAVAILABLE", "stopped", true);
        }
        return VALUE;
      },
      require: () => undefined,
    }),
    isStopped: () => world.isStopped,
    nowMs,
    waitMs: WAIT_MS,
    pauseMs: PAUSE_MS,
  });
  channel.begin();
  return { world, known, channel };
}

describe("BoundedChannel", () => {
  test("returns a value that arrives in time", () => {
    expect(worldOf(WAIT_MS - 1).channel.ask(QUERY)).toEqual(VALUE);
  });

  test("lacks a value that arrives too late", () => {
    const { channel, world } = worldOf(10 * WAIT_MS);
    expect(() => channel.ask(QUERY)).toThrow(OriginMissing);
    expect(world.waits).toEqual([WAIT_MS]);
  });

  test("returns a value that it was given without a wait", () => {
    const { channel, known, world } = worldOf(10 * WAIT_MS);
    known.give([{ query: QUERY, value: VALUE }]);
    expect(channel.ask(QUERY)).toEqual(VALUE);
    expect(world.nowMs).toBe(0);
  });

  test("all waits of a run share its time", () => {
    const { channel } = worldOf(40);
    channel.ask(QUERY);
    channel.ask(QUERY);
    expect(() => channel.ask(QUERY)).toThrow(OriginMissing);
    channel.begin();
    // Shortly after a wait in vain, no run waits.
    expect(() => channel.ask(QUERY)).toThrow(OriginMissing);
  });

  test("waits again after a pause", () => {
    const { channel, world } = worldOf(10 * WAIT_MS);
    expect(() => channel.ask(QUERY)).toThrow(OriginMissing);
    world.nowMs += PAUSE_MS;
    world.delayMs = 40;
    channel.begin();
    expect(channel.ask(QUERY)).toEqual(VALUE);
  });

  test("passes on the error of work that was cancelled", () => {
    const { channel, world } = worldOf(40);
    world.isStopped = true;
    expect(() => channel.ask(QUERY)).toThrow("stopped");
  });
});
