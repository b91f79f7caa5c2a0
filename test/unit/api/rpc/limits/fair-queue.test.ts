import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Client, FairQueue } from "#api/rpc/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { bySize } from "#test/helpers/test-size.ts";

interface Job {
  readonly name: string;
  readonly costMs: number;
}

const queueOf = () => new FairQueue<Job>(({ costMs }) => costMs);

/** Serves everything at its expected cost. @returns names in order */
function serveAll(queue: FairQueue<Job>): string[] {
  const names: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    queue.charge(next.client, next.item.costMs);
    names.push(next.item.name);
  }
  return names;
}

const job = (name: string, costMs = 10): Job => ({ name, costMs });

describe("FairQueue", () => {
  const a1: Client = { address: "a" };
  const a2: Client = { address: "a" };
  const b1: Client = { address: "b" };

  test("serves a connection in order of arrival", () => {
    const queue = queueOf();
    for (const name of ["1", "2", "3"]) queue.push(a1, job(name));
    expect([queue.size, ...serveAll(queue), queue.size]).toEqual([3, "1", "2", "3", 0]);
  });

  test("skips clients that are not ready, and keeps their items", () => {
    const queue = queueOf();
    queue.push(a1, job("a1"));
    queue.push(a2, job("a2"));
    queue.push(b1, job("b1", 1_000));
    const isReady = (client: Client): boolean => client !== a1;
    const shifted = [queue.shift(isReady), queue.shift(isReady), queue.shift(isReady)];
    expect(shifted.map((next) => next?.item.name)).toEqual(["a2", "b1", undefined]);
    expect(serveAll(queue)).toEqual(["a1"]);
  });

  test("keeps the next item when `shiftIf` refuses it", () => {
    const queue = queueOf();
    for (const name of ["1", "2"]) queue.push(a1, job(name));
    queue.push(b1, job("x"));
    const seen: string[] = [];
    const refuse = ({ name }: Job): boolean => {
      seen.push(name);
      return false;
    };
    expect([queue.shiftIf(refuse), queue.size, seen]).toEqual([undefined, 3, ["1"]]);
    expect(queue.shiftIf(({ name }) => name === "1")?.item.name).toBe("1");
    queue.charge(a1, 10);
    expect(serveAll(queue)).toEqual(["x", "2"]);
  });

  test("computes the cost of an item once, when it becomes the first of its client", () => {
    const costQueries: string[] = [];
    const queue = new FairQueue<Job>(({ name, costMs }) => {
      costQueries.push(name);
      return costMs;
    });
    const clients = Array.from({ length: 20 }, (_, i): Client => ({ address: `a${i % 3}` }));
    for (const [i, client] of clients.entries()) {
      for (const turn of [1, 2, 3]) queue.push(client, job(`${i} ${turn}`));
    }
    expect(costQueries).toHaveLength(20);
    expect(serveAll(queue)).toHaveLength(60);
    expect(new Set(costQueries).size).toBe(60);
    expect(costQueries).toHaveLength(60);
  });

  test("computes a cost again only when the first item is removed", () => {
    const costQueries: string[] = [];
    const queue = new FairQueue<Job>(({ name, costMs }) => {
      costQueries.push(name);
      return costMs;
    });
    const jobs = [job("1"), job("2"), job("3")];
    for (const each of jobs) queue.push(a1, each);
    for (const index of [1, 0]) queue.remove(a1, jobs[index] as Job);
    expect(costQueries).toEqual(["1", "3"]);
  });

  test("alternates between connections of an address", () => {
    const queue = queueOf();
    for (const name of ["1", "2", "3"]) queue.push(a1, job(name));
    for (const name of ["x", "y"]) queue.push(a2, job(name));
    expect(serveAll(queue)).toEqual(["1", "x", "2", "y", "3"]);
  });

  test("gives an address with many connections no more than one with a single connection", () => {
    const queue = queueOf();
    for (let i = 0; i < 4; i++) queue.push({ address: "a" }, job(`a${i}`));
    for (const name of ["x", "y"]) queue.push(b1, job(name));
    expect(serveAll(queue)).toEqual(["a0", "x", "a1", "y", "a2", "a3"]);
  });

  test("serves cheap items first without starving expensive ones", () => {
    const queue = queueOf();
    for (let i = 0; i < 3; i++) queue.push({ address: "a" }, job(`large ${i}`, 500));
    queue.push(a1, job("small", 1));
    expect(serveAll(queue)[0]).toBe("small");
    queue.push(a1, job("large", 5));
    const greedy = Array.from({ length: 20 }, (): Client => ({ address: "a" }));
    for (const client of greedy) queue.push(client, job("small", 1));
    const served: string[] = [];
    for (let i = 0; i < 200; i++) {
      const next = queue.shift();
      if (next === undefined) break;
      queue.charge(next.client, next.item.costMs);
      served.push(next.item.name);
      queue.push(next.client, job("small", 1));
    }
    expect(served.indexOf("large")).toBeWithin(1, 20 * 6);
  });

  test("remembers the time spent on a client that returns", () => {
    const queue = queueOf();
    queue.push(a1, job("first"));
    for (let i = 0; i < 4; i++) queue.push(a2, job("other"));
    expect(queue.shift()?.item.name).toBe("first");
    queue.charge(a1, 100);
    queue.push(a1, job("again"));
    expect(serveAll(queue)).toEqual(["other", "other", "other", "other", "again"]);
  });

  test("gives no credit for time in which a client did not wait", () => {
    const queue = queueOf();
    for (let i = 0; i < 10; i++) queue.push(a1, job("early"));
    serveAll(queue);
    queue.push(a1, job("a"));
    for (let i = 0; i < 3; i++) queue.push(a2, job("late"));
    expect(serveAll(queue).indexOf("a")).toBeLessThan(2);
  });

  test("serves a small item of an address within two turns whatever the number of its connections", () => {
    const queue = queueOf();
    const flood = Array.from({ length: 200 }, (): Client => ({ address: "a" }));
    for (const client of flood) queue.push(client, job("flood"));
    const serve = (): string | undefined => {
      const next = queue.shift();
      if (next === undefined) return undefined;
      if (next.client !== a1) queue.push(next.client, job("flood"));
      queue.charge(next.client, next.item.costMs);
      return next.item.name;
    };
    const waits = Array.from({ length: 300 }, () => {
      serve();
      queue.push(a1, job("small", 0.1));
      let turns = 1;
      while (serve() !== "small") turns++;
      return turns;
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(2);
  });

  test.each([
    ["connections", "a", "a"],
    ["addresses", "a", "b"],
  ])("leaves half of the time to a steady client during a stream of fresh %s", (_, own, other) => {
    const queue = queueOf();
    const steady: Client = { address: own };
    const ofStream = (i: number): Client => ({ address: other === own ? own : `${other}${i}` });
    queue.push(steady, job("steady"));
    queue.push(ofStream(0), job("fresh"));
    let ofSteady = 0;
    for (let i = 1; i <= 1_000; i++) {
      const next = queue.shift();
      if (next === undefined) break;
      queue.charge(next.client, next.item.costMs);
      if (next.client === steady) ofSteady++;
      if (next.client === steady) queue.push(steady, job("steady"));
      else queue.push(ofStream(i), job("fresh"));
    }
    expect(ofSteady).toBeWithin(450, 551);
  });

  test("removes a job at any position", () => {
    const queue = queueOf();
    const jobs = ["1", "2", "3"].map((name) => job(name));
    for (const one of jobs) queue.push(a1, one);
    expect(jobs.slice(1, 2).map((one) => queue.remove(a1, one))).toEqual([true]);
    expect(queue.remove(a2, job("4"))).toBe(false);
    expect(serveAll(queue)).toEqual(["1", "3"]);
    expect(jobs.map((one) => queue.remove(a1, one))).toEqual([false, false, false]);
  });

  test("forgets clients that have not waited for long, and still serves all items", () => {
    const queue = queueOf();
    const many = bySize({ quick: 800, full: 2_000 });
    for (let i = 0; i < many; i++) queue.push({ address: `${i}` }, job(String(i)));
    expect(serveAll(queue)).toHaveLength(many);
    for (let i = 0; i < 600; i++) queue.push({ address: "a" }, job(String(i)));
    expect(serveAll(queue)).toHaveLength(600);
  });
});

/** Maximum cost of a job. */
const MAX_COST_MS = 50;

test("FairQueue gives two backlogged clients equal time, whatever others do", () => {
  const step = fc.record({
    client: fc.nat(7),
    costMs: fc.integer({ min: 1, max: MAX_COST_MS }),
    serves: fc.nat(2),
  });
  assertProperty(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const queue = queueOf();
      const clients = Array.from({ length: 8 }, (_, i): Client => ({ address: `${i % 2}` }));
      const steady: readonly Client[] = [{ address: "0" }, { address: "0" }];
      const spentMs = new Map<Client, number>();
      const fill = (client: Client, costMs: number) => queue.push(client, job("", costMs));
      for (const client of steady) fill(client, 10);
      for (const { client, costMs, serves } of steps) {
        fill(clients[client] ?? { address: "0" }, costMs);
        for (let i = 0; i < serves; i++) {
          const next = queue.shift();
          if (next === undefined) continue;
          queue.charge(next.client, next.item.costMs);
          spentMs.set(next.client, (spentMs.get(next.client) ?? 0) + next.item.costMs);
          if (steady.includes(next.client)) fill(next.client, costMs);
        }
        const [first = 0, second = 0] = steady.map((one) => spentMs.get(one));
        expect(Math.abs(first - second)).toBeLessThanOrEqual(2 * MAX_COST_MS);
      }
    }),
    { numRuns: 100 },
  );
});
