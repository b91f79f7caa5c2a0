import { describe, expect, test } from "bun:test";
import { LongResult } from "#api/rpc/index.ts";
import { OpenResults, REST_BYTES, START_BYTES } from "#app/node/query/open-results.ts";
import { JsonElements, JsonList, JsonPieces } from "#base/codec/index.ts";

const MIB = 2 ** 20;
const decoder = new TextDecoder();
const FAILURE = new TextEncoder().encode('{"error":"failure"}');

/** A result of about `mib` MiB that fails after `failsAt` MiB. */
function resultOf(
  mib: number,
  failsAt = Number.POSITIVE_INFINITY,
  onFailure: (thrown: unknown) => void = () => undefined,
): LongResult {
  const element = `"${"a".repeat(2 ** 14 - 3)}"`;
  const list = new JsonList(function* () {
    for (let i = 0; i < mib * 64; i++) {
      if (i >= failsAt * 64) throw new RangeError("the block is gone");
      yield new JsonElements(element);
    }
  });
  return new LongResult(new JsonPieces(list), (thrown) => {
    onFailure(thrown);
    return FAILURE;
  });
}

const running = (): boolean => false;

describe("a long result", () => {
  test("is returned whole if short enough, in either mode", () => {
    for (const takesRest of [true, false]) {
      const taken = new OpenResults(64 * MIB, running).start(resultOf(1), takesRest);
      expect(taken.isOpen).toBeUndefined();
      expect((JSON.parse(decoder.decode(taken.bytes)) as { result: [] }).result).toHaveLength(64);
    }
  });

  test("is returned in chunks if the query takes further chunks", () => {
    const results = new OpenResults(15 * MIB, running);
    const result = resultOf(40);
    const start = results.start(result, true);
    expect(start.isOpen).toBe(true);
    expect(start.bytes.byteLength).toBeGreaterThanOrEqual(START_BYTES);
    expect(start.bytes.byteLength).toBeLessThan(START_BYTES + MIB);
    results.keep(7, result);
    const parts = [start.bytes];
    for (let isOpen = true; isOpen;) {
      const taken = results.rest(7);
      expect(taken.bytes.byteLength).toBeLessThan(REST_BYTES + MIB);
      parts.push(taken.bytes);
      isOpen = taken.isOpen === true;
    }
    expect(parts).toHaveLength(4);
    const { result: list } = JSON.parse(decoder.decode(Buffer.concat(parts))) as { result: [] };
    expect(list).toHaveLength(40 * 64);
    expect(results.size).toBe(0);
  });

  test("starts with a chunk no larger than the limit of a whole response", () => {
    const start = new OpenResults(MIB, running).start(resultOf(2), true);
    expect(start.isOpen).toBe(true);
    expect(start.bytes.byteLength).toBeLessThan(1.2 * MIB);
  });

  test("is an error that names the alternative if the query takes no further chunks", () => {
    const { bytes } = new OpenResults(2 * MIB, running).start(resultOf(3), false);
    expect(JSON.parse(decoder.decode(bytes))).toEqual({
      error: {
        code: -32003,
        message: "Response too large",
        data:
          `the response would be longer than ${2 * MIB} bytes: request less at a time; ` +
          "over HTTP, a request that is in no batch gets it piece by piece",
      },
    });
  });

  test("is the method's error if its first chunk fails", () => {
    const { bytes } = new OpenResults(15 * MIB, running).start(resultOf(40, 1), true);
    expect(bytes).toBe(FAILURE);
  });

  test("ends with the reason if a later chunk fails, and reports the failure", () => {
    const results = new OpenResults(15 * MIB, running);
    const reported: unknown[] = [];
    const result = resultOf(40, 20, (thrown) => reported.push(thrown));
    expect(results.start(result, true).isOpen).toBe(true);
    results.keep(1, result);
    expect(results.rest(1).failed).toContain("the block is gone");
    expect(results.rest(1).failed).toContain("no longer available");
    expect(results.size).toBe(0);
    expect(reported).toEqual([new RangeError("the block is gone")]);
  });

  test("returns the finished part when its thread has to stop", () => {
    let isStopped = false;
    const results = new OpenResults(15 * MIB, () => isStopped);
    const result = resultOf(40);
    results.start(result, true);
    results.keep(1, result);
    isStopped = true;
    const { bytes, isOpen } = results.rest(1);
    expect([bytes.byteLength < MIB, bytes.byteLength > 0, isOpen]).toEqual([true, true, true]);
  });

  test("is dropped on close", () => {
    const results = new OpenResults(15 * MIB, running);
    const result = resultOf(40);
    results.start(result, true);
    results.keep(1, result);
    results.close(1);
    results.close(2);
    expect([results.size, result.isOver]).toEqual([0, true]);
  });
});
