import { describe, expect, test } from "bun:test";
import { ReadTurns } from "#api/rpc/ws/transport/read-turns.ts";

const A = { address: "192.0.2.1" };
const B = { address: "192.0.2.2" };

/** Turns on a clock that advances with the work, and a test-controlled event loop. */
function world() {
  let nowMs = 0;
  let scheduled: (() => void)[] = [];
  const ran: string[] = [];
  const turns = new ReadTurns({ later: (turn) => scheduled.push(turn), nowMs: () => nowMs });
  return {
    turns,
    ran,
    /** Work that takes `ms`. */
    work: (name: string, ms: number, costMs = 1) => ({
      costMs,
      run: () => {
        ran.push(name);
        nowMs += ms;
      },
    }),
    /** Runs one round of the event loop. */
    loop: () => {
      const before = scheduled;
      scheduled = [];
      for (const turn of before) turn();
    },
    get isIdle() {
      return scheduled.length === 0;
    },
  };
}

describe("ReadTurns", () => {
  test("runs work immediately while no other waits and the time slice lasts", () => {
    const { turns, ran, work } = world();
    turns.take(A, work("a", 1));
    turns.take(B, work("b", 1));
    expect(ran).toEqual(["a", "b"]);
  });

  test("yields once the time slice is used, and continues in the next one", () => {
    const { turns, ran, work, loop } = world();
    for (const name of ["1", "2", "3", "4", "5", "6"]) turns.take(A, work(name, 2));
    expect(ran).toEqual(["1", "2"]);
    loop();
    expect(ran).toEqual(["1", "2", "3", "4"]);
    loop();
    expect(ran).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("prefers clients that have used less time", () => {
    const { turns, ran, work, loop } = world();
    turns.take(A, work("a1", 50));
    turns.take(A, work("a2", 50));
    turns.take(A, work("a3", 50));
    turns.take(B, work("b", 1));
    loop();
    expect(ran).toEqual(["a1", "b", "a2"]);
  });

  test("divides the share of an address among its connections", () => {
    const { turns, ran, work, loop } = world();
    const busy = { address: A.address };
    const light = { address: A.address };
    turns.take(busy, work("busy", 50));
    turns.take(busy, work("busy", 50));
    turns.take(busy, work("busy", 50));
    turns.take(light, work("light", 1));
    loop();
    expect(ran.slice(0, 2)).toEqual(["busy", "light"]);
  });

  test("prefers short messages to long ones", () => {
    const { turns, ran, work, loop } = world();
    turns.take({ address: A.address }, work("first", 5));
    turns.take({ address: A.address }, work("long", 1, 20));
    turns.take({ address: A.address }, work("short", 1, 0.01));
    loop();
    expect(ran).toEqual(["first", "short", "long"]);
  });

  test("charges at most a multiple of the expected cost, since a pause is not the client's fault", () => {
    const { turns, ran, work, loop } = world();
    const paused = { address: A.address };
    const busy = { address: A.address };
    turns.take(paused, work("short, with a pause", 500, 0.1));
    for (let i = 0; i < 3; i++) turns.take(busy, work("busy", 3));
    turns.take(paused, work("short", 0.1, 0.1));
    loop();
    loop();
    expect(ran.indexOf("short")).toBeLessThan(4);
    expect(ran.indexOf("short")).toBeGreaterThan(0);
  });

  test("limits a turn to one millisecond", () => {
    const { turns } = world();
    const ends: number[] = [];
    turns.take(A, { costMs: 1, run: (endMs) => ends.push(endMs) });
    expect(ends).toEqual([1]);
  });

  test("queues a repeated turn behind waiting clients", () => {
    const { turns, ran, work, loop } = world();
    const again = {
      costMs: 1,
      run: () => {
        work("again", 2).run();
        if (ran.length < 3) turns.take(A, again);
      },
    };
    turns.take(A, again);
    turns.take(B, work("b", 1));
    loop();
    expect(ran).toEqual(["again", "again", "b", "again"]);
  });

  test("does not run dropped work", () => {
    const { turns, ran, work, loop } = world();
    turns.take(A, work("first", 5));
    const gone = work("gone", 1);
    turns.take(A, gone);
    turns.drop(A, gone);
    loop();
    expect(ran).toEqual(["first"]);
  });

  test("schedules nothing once all work is done", () => {
    const world1 = world();
    world1.turns.take(A, world1.work("a", 1));
    world1.loop();
    world1.loop();
    expect(world1.isIdle).toBe(true);
  });
});
