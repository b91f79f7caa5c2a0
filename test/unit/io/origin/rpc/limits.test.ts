import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { BatchSize } from "#io/origin/rpc/batch-size.ts";
import { Pace } from "#io/origin/rpc/pace.ts";
import { originSpecOf } from "#io/origin/rpc/spec.ts";

/** Sends full batches to a URL that accepts at most `limit` calls; returns the sizes that it rejected. */
function rejectedSizes(size: BatchSize, limit: number, batches: number): number[] {
  const rejected: number[] = [];
  for (let i = 0; i < batches; i++) {
    const sent = size.limit;
    if (sent > limit) {
      rejected.push(sent);
      size.rejected(sent);
    } else size.answered(sent);
  }
  return rejected;
}

describe("BatchSize", () => {
  test.each([1, 2, 10, 49, 50])("finds a limit of %d calls and stays at it", (limit) => {
    const size = new BatchSize(50);
    const rejected = rejectedSizes(size, limit, 200);
    expect(size.limit).toBe(limit);
    expect(new Set(rejected).size).toBe(rejected.length);
    expect(rejectedSizes(size, limit, 200)).toEqual([]);
  });

  test("grows to its maximum again after failures that pass", () => {
    const size = new BatchSize(50);
    size.failed(50);
    expect(size.limit).toBe(25);
    expect(rejectedSizes(size, 50, 100)).toEqual([]);
    expect(size.limit).toBe(50);
  });
});

/** Number of full batches until a larger one is sent. */
function batchesUntilLarger(size: BatchSize): number {
  const { limit } = size;
  let batches = 0;
  for (; size.limit === limit; batches++) size.answered(limit);
  return batches;
}

test("BatchSize tries a larger batch later each time", () => {
  const size = new BatchSize(50);
  const waits = [1, 2, 3].map(() => {
    size.failed(50);
    return batchesUntilLarger(size);
  });
  expect(waits).toEqual([8, 16, 32]);
});

describe("Pace", () => {
  test("halves with each rejection and grows slowly", () => {
    const pace = new Pace(8);
    const limits = [1, 2, 3, 4].map(() => {
      pace.rejected(undefined);
      return pace.limit;
    });
    expect(limits).toEqual([4, 2, 1, 1]);
    for (let i = 0; i < 8; i++) pace.answered();
    expect(pace.limit).toBe(2);
    for (let i = 0; i < 1000; i++) pace.answered();
    expect(pace.limit).toBe(8);
  });

  test("pauses as long as the response asks, otherwise longer with each rejection", () => {
    const pace = new Pace(8);
    const waits = [undefined, undefined, 3000].map((wait) => pace.rejected(wait));
    expect(waits).toEqual([250, 500, 3000]);
  });

  test.each([0, 1, 249])("pauses longer each time while a URL asks for only %d ms", (waitMs) => {
    const pace = new Pace(8);
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(() => pace.rejected(waitMs));
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });
});

describe("originSpecOf", () => {
  test.each([
    ["0.8.1", false, false],
    ["0.9.0", true, false],
    ["0.10.0", true, false],
    ["0.10.1-rc.2", true, true],
    ["0.10.2", true, true],
  ])("accepts version %s", (text, hasL1Accepted, hasFlags) => {
    expect(originSpecOf(text, "http://host")).toEqual({ text, hasL1Accepted, hasFlags });
  });

  test.each(["0.7.1", "0.11.0", "1.0.0", "", "v0.9.0", "0.9"])("refuses version %p", (text) => {
    const check = (): unknown => originSpecOf(text, "http://host:1");
    expect(check).toThrow(OriginError);
    expect(check).toThrow(`http://host:1 implements JSON-RPC ${JSON.stringify(text)}`);
  });
});
