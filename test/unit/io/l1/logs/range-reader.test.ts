import { describe, expect, test } from "bun:test";
import { EndpointFault } from "#io/l1/index.ts";
import { L1_LIMITS } from "#io/l1/limits.ts";
import { RangeReader } from "#io/l1/logs/range-reader.ts";

const LIMITS = { ...L1_LIMITS, maxRangeBlocks: 10_000 };

type Range = readonly [number, number];

/**
 * Reads from an endpoint with the faults of `fail`; returns the requested and the delivered
 * ranges.
 */
async function read(
  ranges: RangeReader,
  from: number,
  to: number,
  fail: (blocks: number, from: number) => EndpointFault | undefined,
) {
  const asked: Range[] = [];
  const answered: Range[] = [];
  await ranges.each(
    from,
    to,
    async (first, last) => {
      asked.push([first, last]);
      const fault = fail(last - first + 1, first);
      if (fault !== undefined) throw fault;
      return [first, last] as const;
    },
    async (range) => void answered.push(range),
  );
  expect(answered[0]?.[0]).toBe(from);
  expect(answered.at(-1)?.[1]).toBe(to);
  answered.slice(1).forEach(([first], i) => expect(first).toBe((answered[i]?.[1] ?? 0) + 1));
  return { asked, answered };
}

function refused(message = "block range is too wide"): EndpointFault {
  return new EndpointFault("refused", message);
}

describe("RangeReader", () => {
  test("uses the maximum range while nothing is refused", async () => {
    const { asked } = await read(new RangeReader(LIMITS), 5, 25_004, () => undefined);
    expect(asked).toEqual([
      [5, 10_004],
      [10_005, 20_004],
      [20_005, 25_004],
    ]);
  });

  for (const most of [1, 2, 10, 999, 1024, 5000]) {
    test(`narrows to an endpoint's limit of ${most} blocks and remembers it`, async () => {
      const ranges = new RangeReader(LIMITS);
      const fail = (blocks: number) => (blocks > most ? refused() : undefined);
      const to = most * 20;
      const first = await read(ranges, 0, to, fail);
      expect(first.asked.length - first.answered.length).toBeLessThan(30);
      const again = await read(ranges, 0, to, fail);
      expect(again.asked.length - again.answered.length).toBeLessThan(6);
      expect(again.answered.length).toBeLessThan(60);
    });
  }

  test("adopts a suggested limit immediately and permanently", async () => {
    const ranges = new RangeReader(LIMITS);
    const text = "eth_getLogs requests with up to a 10 block range";
    const fail = (blocks: number) => (blocks > 10 ? refused(text) : undefined);
    const { asked, answered } = await read(ranges, 0, 999, fail);
    expect([asked.length, answered.length]).toEqual([101, 100]);
  });

  test("narrows in a dense region and widens again after it", async () => {
    const ranges = new RangeReader(LIMITS);
    const fail = (blocks: number, from: number) =>
      from < 1000 && blocks > 10 ? new EndpointFault("too_long", "too long") : undefined;
    await read(ranges, 0, 1000, fail);
    const { asked } = await read(ranges, 1001, 100_000, fail);
    expect(asked.length).toBeLessThan(50);
    expect(ranges.blocks).toBe(LIMITS.maxRangeBlocks);
  });

  test("narrows a range that times out only a few times", async () => {
    const ranges = new RangeReader(LIMITS);
    const asked: number[] = [];
    const hanging = ranges.each(
      0,
      9999,
      (from, to) => {
        asked.push(to - from + 1);
        return Promise.reject(new EndpointFault("timeout", "it did not answer"));
      },
      async () => undefined,
    );
    expect(hanging).rejects.toMatchObject({ kind: "timeout" });
    await hanging.catch(() => undefined);
    expect(asked).toEqual([10_000, 625, 39]);
  });

  test("throws the refusal of a single block and any other fault", async () => {
    const ranges = new RangeReader(LIMITS);
    expect(read(ranges, 0, 99, () => refused())).rejects.toMatchObject({ kind: "refused" });
    for (const kind of ["nonsense", "contradiction", "unreachable", "throttled"] as const) {
      const asked: number[] = [];
      const failing = read(new RangeReader(LIMITS), 0, 99, (blocks) => {
        asked.push(blocks);
        return new EndpointFault(kind, "wrong");
      });
      expect(failing).rejects.toMatchObject({ kind });
      await failing.catch(() => undefined);
      expect(asked).toHaveLength(1);
    }
  });

  test("does not narrow for an error of the consumer", async () => {
    const ranges = new RangeReader(LIMITS);
    const taking = ranges.each(
      0,
      9,
      async () => 1,
      () => Promise.reject(refused()),
    );
    expect(taking).rejects.toMatchObject({ kind: "refused" });
    await taking.catch(() => undefined);
    expect(ranges.blocks).toBe(LIMITS.maxRangeBlocks);
  });
});
