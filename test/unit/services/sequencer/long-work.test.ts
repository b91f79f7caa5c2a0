import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BATCH_MS, COSTLY_MS, FREE_MS, LONG_MS } from "#services/sequencer/long-work.ts";
import { HALF_LIFE_MS } from "#services/sequencer/sender-times.ts";
import {
  BLOCK_TIME_MS,
  candidateOf,
  LARGE,
  LongWorkWorld as World,
  SMALL,
  transfer,
  type Work,
} from "#test/helpers/long-work-world.ts";
import { assertProperty } from "#test/helpers/property.ts";

const long = (sender: bigint): Work => ({ sender, gas: LARGE, ms: 2_000 });
const ATTACKERS = [1n, 2n, 3n, 4n];

describe("long work", () => {
  test("is unknown at first: a batch holds everything, and ends after a long one", () => {
    const world = new World();
    for (const sender of ATTACKERS) world.send(long(sender), 5);
    world.send(transfer(9n));
    expect(world.batch()).toBe(1);
    expect(world.done).toMatchObject([long(1n)]);
  });

  test("continues if nothing else waits, other senders before one that was long", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send(long(sender), 2);
    for (let i = 0; i < 4; i++) world.batch();
    expect(world.done.map(({ sender }) => sender)).toEqual(ATTACKERS);
    for (let i = 0; i < 4; i++) world.batch();
    expect(world.waiting).toBe(0);
  });

  test("delays a transfer only by the one that runs, for any number of waiting ones", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send(long(sender), 20);
    world.batch();
    for (let i = 0n; i < 20n; i++) {
      const sentAtMs = world.nowMs;
      world.batch();
      world.send(transfer(100n + i));
      world.batch();
      const last = world.done.at(-1);
      expect(last).toMatchObject(transfer(100n + i));
      expect((last?.endMs ?? 0) - sentAtMs).toBeLessThanOrEqual(2_001);
    }
    expect(world.done.filter(({ gas }) => gas === LARGE)).toHaveLength(21);
  });

  test("delays a sender with much gas and no recent time by one more", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send(long(sender), 20);
    for (let i = 0; i < 4; i++) world.batch();
    world.send({ sender: 9n, gas: LARGE, ms: 1 });
    world.batch();
    expect(world.done.at(-1)?.sender).toBe(9n);
  });

  test("continues during an endless series of transfers", () => {
    const world = new World(4 * BLOCK_TIME_MS);
    world.send(long(1n), 3);
    world.batch();
    const startMs = world.nowMs;
    while (world.done.filter(({ sender }) => sender === 1n).length < 2) {
      world.send(transfer(9n), 100);
      world.batch();
      expect(world.nowMs - startMs).toBeLessThan(BLOCK_TIME_MS);
    }
  });

  test("takes half of a block's time, then waits for the next block", () => {
    const world = new World();
    for (const sender of ATTACKERS) world.send(long(sender), 5);
    // One of each sender, before its time is known.
    expect(ATTACKERS.map(() => world.batch())).toEqual([1, 1, 1, 1]);
    expect(world.batch()).toBe(0);
    world.send(transfer(9n));
    expect(world.batch()).toBe(1);
    expect(world.batch()).toBe(0);
    world.work.sealed();
    expect([world.batch(), world.batch()]).toEqual([1, 0]);
  });

  test("includes many transactions of one sender, with much or little gas", () => {
    for (const gas of [SMALL, LARGE]) {
      const world = new World(Infinity);
      world.send({ sender: 1n, gas, ms: FREE_MS - 1 }, 10);
      expect(world.batch()).toBe(2);
      world.send({ sender: 9n, gas: LARGE, ms: 1 });
      world.batch();
      expect(world.done.at(-1)?.sender).toBe(9n);
    }
  });

  test("includes the sum of many senders, whose batches end", () => {
    const world = new World(Infinity);
    for (let sender = 1n; sender <= 10n; sender++)
      world.send({ sender, gas: SMALL, ms: FREE_MS - 1 });
    expect(world.batch()).toBe(Math.ceil(LONG_MS / (FREE_MS - 1)));
    expect(world.work.ask(world.nowMs)).toBeUndefined();
  });

  test("excludes work as short as a transfer, in any amount", () => {
    const world = new World(Infinity);
    world.send({ sender: 1n, gas: LARGE, ms: COSTLY_MS }, 1_000);
    while (world.batch() > 0) expect(world.work.ask(world.nowMs)).toBeUndefined();
    expect(world.nowMs).toBeGreaterThan(1_000_000 + BATCH_MS);
  });

  test("of a sender with less recent time precedes that of one with more", () => {
    const world = new World(Infinity);
    for (const [sender, count] of [
      [1n, 8],
      [2n, 1],
    ] as const) {
      for (let i = 0; i < count; i++) {
        world.send({ sender, gas: SMALL, ms: 200 });
        world.batch();
      }
    }
    for (const sender of [1n, 2n]) world.send({ sender, gas: SMALL, ms: 200 });
    world.batch();
    expect(world.done.at(-1)?.sender).toBe(2n);
  });

  test("ends a batch even in the turn of others", () => {
    const world = new World(Infinity);
    for (const sender of ATTACKERS) world.send({ ...long(sender), ms: LONG_MS + 50 }, 5);
    for (let i = 0; i < 10; i++) expect(world.batch()).toBe(1);
  });

  test("prevents the rest of a batch, except small ones of others", () => {
    const { work } = new World(Infinity);
    expect(work.ask(0)).toBeUndefined();
    work.received();
    expect(work.mayExecute(candidateOf(long(9n), 0n), 0)).toBe(true);
    work.executed(candidateOf(long(1n), 0n), 2_000, 0);
    expect(work.mayExecute(candidateOf(long(9n), 0n), 0)).toBe(false);
    expect(work.mayExecute(candidateOf(transfer(1n), 1n), 0)).toBe(false);
    expect(work.mayExecute(candidateOf(transfer(9n), 1n), 0)).toBe(true);
  });

  test("of a sender that used much time since the request waits for its turn", () => {
    const { work } = new World(Infinity);
    work.executed(candidateOf(long(1n), 0n), 2_000, 0);
    expect(work.ask(0)).toBeDefined();
    work.received();
    expect(work.mayExecute(candidateOf(long(9n), 0n), 0)).toBe(true);
    work.executed(candidateOf(long(9n), 0n), FREE_MS + COSTLY_MS + 1, 0);
    expect(work.mayExecute(candidateOf(transfer(9n), 1n), 0)).toBe(false);
    expect(work.mayExecute(candidateOf(transfer(8n), 0n), 0)).toBe(true);
  });

  test("expires", () => {
    const { work } = new World(Infinity);
    work.executed(candidateOf(long(1n), 0n), 4 * FREE_MS + COSTLY_MS, 0);
    work.sealed();
    const levels = (level: number) => ({ levels: new Map([[1n, level]]) });
    expect(work.ask(0)).toMatchObject(levels(3));
    expect(work.ask(1)).toMatchObject(levels(2));
    expect(work.ask(HALF_LIFE_MS + 1)).toMatchObject(levels(1));
    expect(work.ask(2 * HALF_LIFE_MS + 1)).toBeUndefined();
  });

  test("all of it is executed, each sender's by nonce, for any mix", () => {
    const work = fc.record({
      sender: fc.bigInt({ min: 1n, max: 4n }),
      gas: fc.constantFrom(SMALL, LARGE),
      ms: fc.constantFrom(0, 1, 100, 249, 250, 3_000),
      batches: fc.nat(2),
    });
    assertProperty(
      fc.property(fc.array(work, { maxLength: 60 }), (works) => {
        const world = new World();
        for (const { batches, ...one } of works) {
          world.send(one);
          for (let i = 0; i < batches; i++) world.batch();
        }
        for (let i = 0; world.waiting > 0 && i < 200; i++) {
          if (world.batch() === 0) {
            world.work.sealed();
            world.nowMs += 250;
          }
        }
        expect(world.waiting).toBe(0);
        for (const sender of [1n, 2n, 3n, 4n]) {
          const nonces = world.done.filter((one) => one.sender === sender);
          expect(nonces.map(({ nonce }) => nonce)).toEqual(nonces.map((_, i) => BigInt(i)));
        }
      }),
    );
  });
});
