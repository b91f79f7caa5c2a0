import { describe, expect, test } from "bun:test";
import { LONG_MS } from "#services/sequencer/long-work.ts";
import {
  BLOCK_TIME_MS,
  LARGE,
  LongWorkWorld,
  SMALL,
  transfer,
} from "#test/helpers/long-work-world.ts";

describe("waiting transactions", () => {
  const costs = [
    ["at the threshold of gas", SMALL, LONG_MS],
    ["just below it", SMALL - 1n, LONG_MS - 1],
    ["just above it", SMALL + 1n, LONG_MS + 1],
    ["far below it", SMALL / 25n, 10],
  ] as const;
  test.each(costs)("of others wait at most two block times for expensive ones %s", (...cost) => {
    const [, gas, ms] = cost;
    const world = new LongWorkWorld();
    const senders = Array.from({ length: 12 }, (_, i) => BigInt(i + 1));
    for (const sender of senders) world.send({ sender, gas, ms }, 100);
    let openedAtMs = world.nowMs;
    for (let i = 0n; i < 10n; i++) {
      const sentAtMs = world.nowMs;
      const honest = [transfer(100n + i), { sender: 200n + i, gas: LARGE, ms: 40 }];
      for (const one of honest) world.send(one);
      const isDone = () =>
        honest.every(({ sender }) => world.done.some((d) => d.sender === sender));
      while (!isDone()) {
        if (world.batch() === 0) world.nowMs = openedAtMs + BLOCK_TIME_MS;
        if (world.nowMs >= openedAtMs + BLOCK_TIME_MS) {
          world.work.sealed();
          openedAtMs = world.nowMs;
        }
        expect(world.nowMs - sentAtMs).toBeLessThanOrEqual(2 * BLOCK_TIME_MS);
      }
    }
    world.work.sealed();
    // The expensive ones continue in between.
    for (let i = 0; i < 20; i++) world.batch();
    expect(world.done.filter(({ sender }) => sender <= 12n).length).toBeGreaterThan(12);
  });

  test("with a large gas bound run between small ones of new senders, for any number and length of these", () => {
    const world = new LongWorkWorld();
    for (let sender = 1n; sender <= 60n; sender++) world.send({ sender, gas: SMALL, ms: LONG_MS });
    const sentAtMs = world.nowMs;
    world.send({ sender: 100n, gas: LARGE, ms: 40 });
    while (world.nowMs - sentAtMs <= BLOCK_TIME_MS && world.batch() > 0);
    expect(world.done.filter(({ sender }) => sender === 100n)).toHaveLength(1);
  });
});
