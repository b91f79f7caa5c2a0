import { expect, test } from "bun:test";
import fc from "fast-check";
import { Caller } from "#api/rpc/index.ts";
import { SHORT_MS } from "#app/node/query/work-memory.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { LOOK_MS, VirtualQueries } from "#test/helpers/virtual-queries.ts";

/** Kind of an honest client's query, already known to the pool. */
const KNOWN = 0;
const HONEST_MS = 3;
/** Longest query of a flood. */
const MOST_MS = 600;
/** Time within which a thread switches to another job. */
const SLICE_MS = SHORT_MS + LOOK_MS + 1;
const FINISH_MS = 1_000_000;

const ADDRESSES = ["127.0.0.1", "10.0.0.1"];

/** Connections, each with concurrent queries: of few kinds, short and long ones. */
const floods = fc.record({
  threads: fc.integer({ min: 2, max: 4 }),
  connections: fc.array(
    fc.record({
      address: fc.constantFrom(...ADDRESSES),
      kinds: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 }),
      beginsAtMs: fc.nat(300),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  costs: fc.array(fc.integer({ min: 1, max: MOST_MS }), { minLength: 7, maxLength: 7 }),
  probeAtMs: fc.nat(1_500),
});

/** A pool that knows the honest clients' queries, under a flood until `untilMs`. */
function flooded(
  { threads, connections, costs }: typeof floods extends fc.Arbitrary<infer T> ? T : never,
  untilMs: number,
) {
  const node = new VirtualQueries(threads);
  node.ask({ caller: new Caller("10.9.9.9"), kind: KNOWN, costMs: HONEST_MS });
  node.advance(HONEST_MS + 1);
  const clients = connections.map((connection) => ({
    ...connection,
    caller: new Caller(connection.address),
  }));
  for (let atMs = 0; atMs < untilMs; atMs++) {
    for (const { caller, kinds, beginsAtMs } of clients) {
      if (beginsAtMs !== atMs) continue;
      for (const kind of kinds) node.ask({ caller, kind, costMs: costs[kind] ?? 1 });
    }
    node.advance(1);
  }
  return node;
}

test("a short query waits only for running jobs and the short ones of others", () => {
  assertProperty(
    fc.property(floods, fc.constantFrom(...ADDRESSES), (flood, address) => {
      const node = flooded(flood, flood.probeAtMs);
      const waitedMs = node.ask({ caller: new Caller(address), kind: KNOWN, costMs: HONEST_MS });
      node.finish(FINISH_MS);
      const others = flood.connections.length;
      expect(waitedMs()).toBeLessThanOrEqual(2 * SLICE_MS + (others + 1) * SHORT_MS);
    }),
    { numRuns: 40 },
  );
});

test("a long query waits for a bounded number of others' long ones", () => {
  assertProperty(
    fc.property(floods, fc.constantFrom(...ADDRESSES), (flood, address) => {
      const node = flooded(flood, flood.probeAtMs);
      const waitedMs = node.ask({ caller: new Caller(address), kind: 99, costMs: MOST_MS });
      node.finish(FINISH_MS);
      const others = flood.connections.length;
      expect(waitedMs()).toBeLessThanOrEqual((2 * others + 3) * (MOST_MS + SLICE_MS));
    }),
    { numRuns: 40 },
  );
});

test("one thread always leaves long queries, every query completes, and few are restarted", () => {
  assertProperty(
    fc.property(floods, (flood) => {
      const node = flooded(flood, 301);
      node.finish(FINISH_MS);
      expect(node.open).toBe(0);
      expect(node.blockedMs).toBeLessThanOrEqual(SLICE_MS);
      const kinds = new Set(flood.connections.flatMap((connection) => connection.kinds)).size;
      expect(node.restarts).toBeLessThanOrEqual(kinds * flood.threads);
    }),
    { numRuns: 40 },
  );
});

test("of fifty connections with a long call of one kind, only two start on the reserved thread", () => {
  const node = new VirtualQueries(2);
  for (let i = 0; i < 50; i++) {
    node.ask({ caller: new Caller("127.0.0.1"), kind: 1, costMs: 500 });
  }
  node.advance(200);
  const waitedMs = node.ask({ caller: new Caller("127.0.0.1"), kind: KNOWN, costMs: HONEST_MS });
  node.advance(SLICE_MS);
  expect(waitedMs()).toBeLessThanOrEqual(SLICE_MS);
  node.finish(FINISH_MS);
  expect([node.open, node.restarts]).toEqual([0, 1]);
});
