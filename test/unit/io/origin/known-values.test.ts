import { describe, expect, test } from "bun:test";
import { KnownValues, OriginMissing, type OriginQuery } from "#io/origin/index.ts";

const NONCE: OriginQuery = { kind: "nonce", block: 3, address: 7n };
const OTHER: OriginQuery = { kind: "nonce", block: 3, address: 8n };
const VALUE = Buffer.from("value");

function knownOf(maxBytes = 1 << 20) {
  const clock = { nowMs: 0 };
  const known = new KnownValues({ maxBytes, l1AcceptedMs: 100, nowMs: () => clock.nowMs });
  return { known, clock };
}

/** Queries of the error that `work` throws. */
function missingOf(work: () => unknown): readonly OriginQuery[] {
  try {
    work();
  } catch (error) {
    if (error instanceof OriginMissing) return error.queries;
  }
  return [];
}

describe("KnownValues", () => {
  test("names the value that it lacks", () => {
    const { known } = knownOf();
    expect(missingOf(() => known.ask(NONCE))).toEqual([NONCE]);
  });

  test.each([VALUE, null])("returns what it was given: %p", (value) => {
    const { known } = knownOf();
    known.give([{ query: NONCE, value }]);
    expect(known.ask(NONCE)).toEqual(value);
  });

  test("requires all values that it lacks together", () => {
    const { known } = knownOf();
    const third: OriginQuery = { kind: "block", block: 2 };
    known.give([{ query: third, value: VALUE }]);
    expect(missingOf(() => known.require([NONCE, third, OTHER]))).toEqual([NONCE, OTHER]);
    known.give([NONCE, OTHER].map((query) => ({ query, value: null })));
    expect(missingOf(() => known.require([NONCE, third, OTHER]))).toEqual([]);
  });

  test("forgets the newest block that L1 accepted, which changes", () => {
    const { known, clock } = knownOf();
    known.give([
      { query: { kind: "l1Accepted" }, value: VALUE },
      { query: NONCE, value: VALUE },
    ]);
    clock.nowMs = 100;
    expect(known.ask({ kind: "l1Accepted" })).toEqual(VALUE);
    clock.nowMs = 101;
    expect(missingOf(() => known.ask({ kind: "l1Accepted" }))).toEqual([{ kind: "l1Accepted" }]);
    expect(known.ask(NONCE)).toEqual(VALUE);
  });

  test("forgets that a node did not know a continuation token", () => {
    const { known, clock } = knownOf();
    const page = { fromBlock: 0, toBlock: 5, addresses: [], keys: [], token: "7-1", chunkSize: 10 };
    const query: OriginQuery = { kind: "events", ...page };
    known.give([{ query, value: null }]);
    expect(known.ask(query)).toBeNull();
    clock.nowMs = 101;
    expect(missingOf(() => known.ask(query))).toEqual([query]);
  });

  test("forgets the least recently used values beyond its size", () => {
    const { known } = knownOf(1_000);
    known.give([{ query: NONCE, value: new Uint8Array(400) }]);
    known.give([{ query: OTHER, value: new Uint8Array(400) }]);
    expect(missingOf(() => known.ask(NONCE))).toEqual([NONCE]);
    expect(known.ask(OTHER)).toHaveLength(400);
  });
});
