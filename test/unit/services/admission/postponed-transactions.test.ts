import { describe, expect, test } from "bun:test";
import {
  FIRST_DELAY_MS,
  MAX_DELAY_MS,
  PostponedTransactions,
} from "#services/admission/postponed-transactions.ts";
import type { MempoolEntry } from "#services/admission/mempool/index.ts";
import type { PostponedChange, PostponedTransaction } from "#services/admission/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

function world(...hashes: readonly bigint[]) {
  const pool = new Map(hashes.map((hash) => [hash, { hash } as MempoolEntry]));
  const timer = new FakeTimer();
  const reports: PostponedChange[] = [];
  let wakes = 0;
  const postponed = new PostponedTransactions({
    find: (hash) => pool.get(hash),
    wake: () => void wakes++,
    report: (change) => reports.push(change),
    timer,
  });
  const may = (hash: bigint) => postponed.mayExecute({ hash });
  return { pool, timer, reports, postponed, may, wakes: () => wakes };
}

const lost = (hash: bigint): PostponedTransaction => ({ hash, reason: `lost ${hash}` });

describe("a postponed transaction", () => {
  test("is held back for a while, and others are not", () => {
    const { postponed, timer, may, wakes } = world(1n, 2n);
    postponed.add([lost(1n)]);
    expect([may(1n), may(2n)]).toEqual([false, true]);
    timer.advance(FIRST_DELAY_MS);
    expect([may(1n), wakes()]).toEqual([true, 1]);
  });

  test("is held back longer after each failure, up to a maximum", () => {
    const { postponed, timer, may } = world(1n);
    for (const delayMs of [1, 2, 4, 8, 8].map((factor) => factor * FIRST_DELAY_MS)) {
      postponed.add([lost(1n)]);
      timer.advance(delayMs - 1);
      expect(may(1n)).toBeFalse();
      timer.advance(1);
      expect(may(1n)).toBeTrue();
    }
    expect(MAX_DELAY_MS).toBe(8 * FIRST_DELAY_MS);
  });

  test("is reported until it leaves the mempool", () => {
    const { postponed, pool, reports } = world(1n, 2n);
    postponed.add([lost(1n)]);
    postponed.add([lost(2n)]);
    pool.delete(1n);
    postponed.sweep();
    postponed.sweep();
    pool.delete(2n);
    postponed.sweep();
    expect(reports).toEqual([
      { added: [lost(1n)], left: [] },
      { added: [lost(2n)], left: [] },
      { added: [], left: [1n] },
      { added: [], left: [2n] },
    ]);
  });

  test("is reported again only with another reason", () => {
    const { postponed, reports } = world(1n);
    const refused = { hash: 1n, reason: "refused" };
    for (const one of [lost(1n), lost(1n), refused]) postponed.add([one]);
    expect(reports.map(({ added }) => added)).toEqual([[lost(1n)], [refused]]);
  });

  test("that has left the mempool is ignored", () => {
    const { postponed, reports } = world();
    postponed.add([lost(1n)]);
    expect(reports).toEqual([]);
  });
});
