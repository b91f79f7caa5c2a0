import { describe, expect, test } from "bun:test";
import { OriginTally } from "#io/origin/index.ts";

const UP = { kind: "up", sinceUnixMs: 1 } as const;
const DOWN = { kind: "down", sinceUnixMs: 2, reason: "no response" } as const;

describe("OriginTally", () => {
  test("counts what happened since the last report", () => {
    const tally = new OriginTally(UP);
    tally.value("cache");
    tally.value("cache");
    tally.value("origin");
    tally.waited(30);
    tally.waited(12);
    tally.requested(5);
    tally.requested(1);
    tally.received(100);
    tally.limited();
    expect(tally.take()?.counts).toEqual({
      cached: 2,
      fetched: 1,
      requests: 2,
      calls: 6,
      waits: 2,
      waitedMs: 42,
      rateLimited: 1,
      receivedBytes: 100,
    });
    tally.value("cache");
    expect(tally.take()?.counts).toMatchObject({ cached: 1, fetched: 0, waits: 0 });
  });

  test("reports nothing when nothing has happened", () => {
    const tally = new OriginTally(UP);
    expect(tally.take()).toBeUndefined();
    tally.value("cache");
    tally.take();
    expect(tally.take()).toBeUndefined();
  });

  test("reports the state of the origin and of the file with every report", () => {
    const tally = new OriginTally(UP);
    tally.stateChanged(DOWN);
    tally.storeFailed(new RangeError("disk full"));
    expect(tally.take()).toMatchObject({ state: DOWN });
    tally.value("cache");
    const later = tally.take();
    expect(later?.state).toEqual(DOWN);
    expect(later?.storeFailure).toContain("disk full");
    tally.stateChanged(UP);
    tally.storeRecovered();
    expect(tally.take()).toMatchObject({ state: UP, storeFailure: null });
  });
});
