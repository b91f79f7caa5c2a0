import { describe, expect, test } from "bun:test";
import { OriginTurns } from "#app/node/fork/origin-turns.ts";
import { failureOf } from "#test/helpers/origin-pool.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import type { OriginQuery } from "#io/origin/index.ts";

const nonceOf = (address: bigint): OriginQuery => ({ kind: "nonce", block: 3, address });
const LATER = 1_000_000;
const clientAt = (address: string) => ({ address });

/** A source whose answers the test gives. */
function turnsWorld(maxFetches: number) {
  const asked: { readonly query: OriginQuery; readonly answer: () => void }[] = [];
  const source = {
    answer: (query: OriginQuery) =>
      new Promise<null>((resolve) => asked.push({ query, answer: () => resolve(null) })),
  };
  const timer = new FakeTimer();
  return { asked, timer, turns: new OriginTurns({ source, timer, maxFetches }) };
}

describe("OriginTurns", () => {
  test("returns all values of a fetch with their queries", async () => {
    const { asked, turns } = turnsWorld(1);
    const fetched = turns.fetch([nonceOf(1n), nonceOf(2n)], clientAt("a"), LATER);
    await Bun.sleep(0);
    for (const { answer } of asked) answer();
    expect(await fetched).toEqual([
      { query: nonceOf(1n), value: null },
      { query: nonceOf(2n), value: null },
    ]);
  });

  test("lets a second client go before the tenth fetch of the first", async () => {
    const { asked, turns } = turnsWorld(1);
    for (let i = 1n; i <= 10n; i++) void turns.fetch([nonceOf(i)], clientAt("a"), LATER);
    void turns.fetch([nonceOf(99n)], clientAt("b"), LATER);
    for (let i = 0; i < 3; i++) {
      await Bun.sleep(0);
      asked.at(-1)?.answer();
    }
    expect(asked.map(({ query }) => query)).toContainEqual(nonceOf(99n));
  });

  test("continues after a fetch that failed", async () => {
    const source = {
      answer: (query: OriginQuery) =>
        query.kind === "nonce" && query.address === 1n
          ? Promise.reject(new RangeError("lost"))
          : Promise.resolve(null),
    };
    const turns = new OriginTurns({ source, timer: new FakeTimer(), maxFetches: 1 });
    const failed = turns.fetch([nonceOf(1n)], clientAt("a"), LATER);
    const next = turns.fetch([nonceOf(2n)], clientAt("a"), LATER);
    expect(failed).rejects.toThrow("lost");
    expect(await next).toHaveLength(1);
  });

  test("gives up a fetch at its deadline, and its turn to the next one", async () => {
    const { asked, timer, turns } = turnsWorld(1);
    const endsAtMs = timer.nowMs() + 100;
    const hung = failureOf(turns.fetch([nonceOf(1n)], clientAt("a"), endsAtMs));
    const waited = failureOf(turns.fetch([nonceOf(2n)], clientAt("a"), endsAtMs));
    const next = turns.fetch([nonceOf(3n)], clientAt("b"), LATER);
    await Bun.sleep(0);
    timer.advance(100);
    expect([(await hung).code, (await waited).code]).toEqual([
      "ORIGIN_UNAVAILABLE",
      "ORIGIN_UNAVAILABLE",
    ]);
    await Bun.sleep(0);
    expect(asked.map(({ query }) => query)).toEqual([nonceOf(1n), nonceOf(3n)]);
    asked.at(-1)?.answer();
    expect(await next).toHaveLength(1);
    expect(timer.alarms).toBe(0);
  });
});
