import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FairLevel } from "#api/rpc/limits/fair-level.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Clients by number, each with the expected cost of its turns in milliseconds. */
class World {
  readonly level = new FairLevel<number, null>();
  /** Time spent on each client. */
  readonly spentMs = new Map<number, number>();
  readonly #costsMs = new Map<number, number>();

  enter(client: number, costMs: number): void {
    this.#costsMs.set(client, costMs);
    this.level.enter(client, () => null);
  }

  /** Serves the next client, which leaves. @returns the client */
  serve(actualMs = (expectedMs: number) => expectedMs): number | undefined {
    const next = this.level.peek((_, client) => this.#costsMs.get(client));
    if (next === undefined) return undefined;
    const { key: client, costMs } = next;
    const spentMs = actualMs(costMs);
    this.level.serve(next);
    this.level.leave(client);
    this.level.charge(client, spentMs);
    this.spentMs.set(client, (this.spentMs.get(client) ?? 0) + spentMs);
    return client;
  }

  /** Serves the next client, which waits again immediately. @returns the client */
  serveSteady(actualMs?: (expectedMs: number) => number): number | undefined {
    const client = this.serve(actualMs);
    if (client !== undefined) this.enter(client, this.#costsMs.get(client) ?? 0);
    return client;
  }

  leave(client: number): void {
    this.level.leave(client);
  }

  spentOn(client: number): number {
    return this.spentMs.get(client) ?? 0;
  }
}

/**
 * Clients `0` to `count - 1`, which wait all the time with turns of equal cost.
 *
 * @param more - turns after the first two of each
 */
function backlogged(
  count: number,
  costMs: number,
  more = 0,
  actualMs?: (expectedMs: number) => number,
): World {
  const world = new World();
  for (let client = 0; client < count; client++) world.enter(client, costMs);
  for (let turn = 0; turn < 2 * count + more; turn++) world.serveSteady(actualMs);
  return world;
}

/** Turns until the client is served; the others wait again after each turn. */
function turnsUntil(world: World, client: number, actualMs?: (expectedMs: number) => number) {
  for (let turn = 1; ; turn++) {
    if (world.serveSteady(actualMs) === client) return turn;
    if (turn > 10_000) return Infinity;
  }
}

const count = fc.integer({ min: 2, max: 200 });
const cost = fc.integer({ min: 1, max: 100 });

describe("FairLevel with a new client and backlogged ones", () => {
  test("serves the new client next if it costs as much as the others", () => {
    assertProperty(
      fc.property(count, cost, fc.nat(1_000), (clients, costMs, more) => {
        const world = backlogged(clients, costMs, more);
        world.enter(-1, costMs);
        expect(turnsUntil(world, -1)).toBe(1);
      }),
    );
  });

  test("serves the new client next even if turns take longer than expected", () => {
    const factors = fc.array(fc.double({ min: 1, max: 8, noNaN: true }), { minLength: 1 });
    assertProperty(
      fc.property(count, factors, fc.nat(1_000), (clients, excess, more) => {
        let turn = 0;
        const actualMs = (expectedMs: number) =>
          expectedMs * (excess[turn++ % excess.length] as number);
        const world = backlogged(clients, 1, 8 * clients + more, actualMs);
        world.enter(-1, 1);
        expect(turnsUntil(world, -1, actualMs)).toBe(1);
      }),
    );
  });

  test("serves a cheap client at least every second turn", () => {
    const world = backlogged(100, 10);
    const waits = Array.from({ length: 500 }, () => {
      world.serveSteady();
      world.enter(-1, 1);
      const turns = turnsUntil(world, -1);
      world.leave(-1);
      return turns;
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(2);
    expect(world.spentOn(-1)).toBeGreaterThan(world.spentOn(0));
  });

  test("serves a cheap client soon during a burst of expensive new clients", () => {
    const world = new World();
    const actualMs = (expectedMs: number) => (expectedMs === 10 ? 80 : 1);
    world.enter(-1, 1);
    world.serve(actualMs);
    for (let client = 0; client < 200; client++) world.enter(client, 10);
    const waits = Array.from({ length: 400 }, () => {
      world.serveSteady(actualMs);
      world.enter(-1, 1);
      const turns = turnsUntil(world, -1, actualMs);
      world.leave(-1);
      return turns;
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(4);
  });

  test("serves a more expensive client after the others have had as much time", () => {
    const world = backlogged(10, 1);
    world.enter(-1, 50);
    expect(turnsUntil(world, -1)).toBeWithin(10 * 46, 10 * 51);
  });

  test("serves several new clients in order, interleaved with the others", () => {
    const world = backlogged(10, 1);
    for (const client of [-1, -2, -3]) world.enter(client, 1);
    const served = Array.from({ length: 6 }, () => world.serveSteady() ?? 0);
    expect(served.filter((client) => client < 0)).toEqual([-1, -2, -3]);
  });

  test("does not prefer the client again before the others have had as much time", () => {
    const world = backlogged(10, 10, 5);
    world.enter(-1, 10);
    expect(world.serve()).toBe(-1);
    world.serveSteady();
    world.enter(-1, 10);
    expect(turnsUntil(world, -1)).toBeWithin(5, 12);
  });
});

describe("FairLevel debt after a client went first", () => {
  /** Two backlogged clients, after a third one went first. */
  const owing = (): World => {
    const world = backlogged(2, 10);
    world.enter(-1, 10);
    expect(world.serve()).toBe(-1);
    return world;
  };

  test("delays the next new client by a turn", () => {
    const world = owing();
    world.enter(-2, 10);
    expect(turnsUntil(world, -2)).toBe(2);
  });

  test("is not increased when a client used less time than charged", () => {
    const world = owing();
    world.level.charge(world.serveSteady() ?? 0, -9);
    world.enter(-2, 10);
    expect(turnsUntil(world, -2)).toBe(1);
  });

  test("expires once only new clients have waited", () => {
    const world = owing();
    for (const client of [0, 1]) world.leave(client);
    world.enter(-2, 1);
    expect(world.serveSteady()).toBe(-2);
    world.enter(-3, 1);
    expect(turnsUntil(world, -3)).toBe(1);
  });
});

describe("FairLevel with a stream of fresh clients", () => {
  /** Keeps `fresh` clients waiting, each for one turn. */
  const withStream = (world: World, fresh: number, costMs: number, turns: number, excess = 1) => {
    let nextFresh = 1_000;
    for (let i = 0; i < fresh; i++) world.enter(nextFresh++, costMs);
    let ofStreamMs = 0;
    for (let turn = 0; turn < turns; turn++) {
      const before = world.spentMs.size;
      const client = world.serve((expectedMs) => expectedMs * excess) ?? 0;
      if (client < 1_000) world.enter(client, 10);
      else {
        ofStreamMs += world.spentOn(client);
        world.enter(nextFresh++, costMs);
      }
      expect(world.spentMs.size).toBeGreaterThanOrEqual(before);
    }
    return ofStreamMs;
  };

  test.each([
    ["as much as others", 10, 1],
    ["much more than others", 200, 1],
    ["little", 1, 1],
    ["little, but run long", 1, 50],
  ])("that cost %s leaves others half their equal share", (_, costMs, excess) => {
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (n, fresh) => {
        const world = backlogged(n, 10);
        for (let client = 0; client < n; client++) world.spentMs.set(client, 0);
        const turns = 400 * (n + fresh);
        const ofStreamMs = withStream(world, fresh, costMs, turns, excess);
        const spentMs = Array.from({ length: n }, (_each, client) => world.spentOn(client));
        const allMs = spentMs.reduce((sum, ms) => sum + ms, ofStreamMs);
        expect(Math.min(...spentMs)).toBeGreaterThan((0.45 * allMs) / (n + fresh));
      }),
      { numRuns: 30, minRuns: 6 },
    );
  });

  test("does not starve a more expensive client", () => {
    const world = new World();
    world.enter(-1, 50);
    let turns = 0;
    for (let fresh = 0; fresh < 10; fresh++) world.enter(fresh, 1);
    for (let client = world.serve(); client !== -1; client = world.serve()) {
      world.enter(10 + turns++, 1);
      if (turns > 10_000) break;
    }
    expect(turns).toBeWithin(400, 2 * 11 * 50 + 11);
  });

  test("does not delay a new client of average cost for long", () => {
    const world = backlogged(10, 10);
    let fresh = 1_000;
    let turns = 0;
    world.enter(fresh, 1);
    world.enter(-1, 10);
    for (let client = world.serve(); client !== -1; client = world.serve()) {
      world.enter(
        (client ?? 0) < 1_000 ? (client ?? 0) : ++fresh,
        client !== undefined && client < 1_000 ? 10 : 1,
      );
      if (++turns > 10_000) break;
    }
    expect(turns).toBeLessThan(10 * 11 * 2);
  });
});

describe("FairLevel with backlogged clients", () => {
  test("serves them in turn if their costs are equal", () => {
    const world = backlogged(5, 10);
    const round = () => new Set(Array.from({ length: 5 }, () => world.serveSteady()));
    expect([round().size, round().size, round().size]).toEqual([5, 5, 5]);
  });

  test("serves them in turn if they stay between turns", () => {
    const level = new FairLevel<string, null>();
    for (const client of ["a", "b"]) level.enter(client, () => null);
    const serve = () => {
      const next = level.peek(() => 10);
      if (next === undefined) return undefined;
      level.serve(next);
      return next.key;
    };
    expect(Array.from({ length: 6 }, serve).join("")).toBe("ababab");
  });

  test("gives them equal time whatever their turns cost", () => {
    const world = new World();
    const costsMs = [1, 3, 10, 40];
    for (const [client, costMs] of costsMs.entries()) world.enter(client, costMs);
    for (let turn = 0; turn < 2_000; turn++) world.serveSteady();
    const spent = costsMs.map((_, client) => world.spentOn(client));
    expect(Math.max(...spent) - Math.min(...spent)).toBeLessThanOrEqual(80);
  });

  test("keeps the order of clients that leave only during their turn", () => {
    const level = new FairLevel<string, null>();
    const enter = (client: string) => level.enter(client, () => null);
    const serve = () => {
      const next = level.peek(() => 10);
      if (next === undefined) return undefined;
      level.serve(next);
      level.leave(next.key);
      enter(next.key);
      level.charge(next.key, 10);
      return next.key;
    };
    for (const client of ["a", "b", "c"]) enter(client);
    const round = () => new Set(Array.from({ length: 3 }, serve));
    for (const _ of [1, 2]) round();
    expect([round().size, round().size, round().size]).toEqual([3, 3, 3]);
  });
});
