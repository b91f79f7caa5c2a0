import { describe, expect, test } from "bun:test";
import { Mempool, type MempoolEntry } from "#services/admission/mempool/index.ts";
import { MEMPOOL_LIMITS, mempoolEntry } from "#test/helpers/mempool-entry.ts";

describe("a held entry", () => {
  test("stays in its place with its account's later ones, and is taken later", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, order: "timestamp" });
    const held = mempoolEntry({ sender: 1n, nonce: 0n, receivedAtMs: 0 });
    for (const each of [
      held,
      mempoolEntry({ sender: 1n, nonce: 1n, receivedAtMs: 1 }),
      mempoolEntry({ sender: 2n, nonce: 0n, receivedAtMs: 2 }),
      mempoolEntry({ sender: 3n, nonce: 0n, receivedAtMs: 3 }),
    ]) {
      pool.add(each, 0n);
    }
    expect(pool.take(1, (e) => (e === held ? null : 0)).map((e) => e.sender)).toEqual([2n]);
    expect(pool.take(0, (e) => (e === held ? null : 0))).toEqual([]);
    expect([pool.size, pool.inFlightSize]).toEqual([3, 1]);
    expect(pool.take(10).map((e) => [e.sender, e.nonce])).toEqual([
      [1n, 0n],
      [1n, 1n],
      [3n, 0n],
    ]);
  });
});

describe("entries with ranks", () => {
  const ranks = new Map([
    [1n, 3],
    [2n, 1],
    [3n, Infinity],
    [4n, 1],
  ]);

  test("are taken by the lowest pending rank, and in order within it", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, order: "timestamp" });
    for (const [i, sender] of [...ranks.keys()].entries()) {
      for (const nonce of [0n, 1n]) {
        pool.add(mempoolEntry({ sender, nonce, receivedAtMs: 10 * i + Number(nonce) }), 0n);
      }
    }
    const take = () => pool.take(9, ({ sender }) => ranks.get(sender) ?? null);
    const taken = [take(), take(), take(), take()].map((batch) =>
      batch.map(({ sender, nonce }) => [sender, nonce]),
    );
    expect(taken).toEqual([
      [
        [2n, 0n],
        [2n, 1n],
        [4n, 0n],
        [4n, 1n],
      ],
      [
        [1n, 0n],
        [1n, 1n],
      ],
      [
        [3n, 0n],
        [3n, 1n],
      ],
      [],
    ]);
  });
});

test("taken entries are in flight until they are settled or returned", () => {
  const pool = new Mempool(MEMPOOL_LIMITS);
  const entries = [1n, 2n, 3n].map((sender) => mempoolEntry({ sender, nonce: 0n }));
  for (const each of entries) pool.add(each, 0n);
  const inFlight = () => entries.map(({ hash }) => pool.isInFlight(hash));
  expect(inFlight()).toEqual([false, false, false]);
  const [first, second, third] = pool.take(3);
  expect(inFlight()).toEqual([true, true, true]);
  pool.settleIncluded(first?.hash ?? 0n);
  pool.settleRejected(second?.hash ?? 0n);
  pool.requeue([third?.hash ?? 0n]);
  expect(inFlight()).toEqual([false, false, false]);
});

describe("settling", () => {
  test("a rejected transaction frees its nonce and blocks its successors", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const first = mempoolEntry({ nonce: 0n });
    pool.add(first, 0n);
    pool.take(1);
    pool.add(mempoolEntry({ nonce: 1n }), 0n);
    pool.settleRejected(first.hash);
    expect(pool.take(5)).toEqual([]);
    pool.add(mempoolEntry({ nonce: 0n }), 0n);
    expect(pool.take(5).map((e) => e.nonce)).toEqual([0n, 1n]);
  });

  test("returned transactions are taken again in order", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    for (let i = 0n; i < 3n; i++) pool.add(mempoolEntry({ nonce: i }), 0n);
    const taken = pool.take(3);
    pool.settleIncluded(taken[0]?.hash ?? 0n);
    pool.requeue(taken.slice(1).map((e) => e.hash));
    expect(pool.take(3).map((e) => e.nonce)).toEqual([1n, 2n]);
  });

  test("a nonce in flight is not free after an earlier one was rejected", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const [first, second] = [mempoolEntry({ nonce: 0n }), mempoolEntry({ nonce: 1n })];
    for (const each of [first, second]) pool.add(each, 0n);
    pool.take(2);
    pool.settleRejected(first.hash);
    expect(pool.add(mempoolEntry({ nonce: 1n, tip: 9n }), 0n)).toEqual({ kind: "in_flight" });
    pool.requeue([second.hash]);
    pool.add(mempoolEntry({ nonce: 0n }), 0n);
    expect(pool.take(5).map((e) => e.nonce)).toEqual([0n, 1n]);
    expect(pool.size).toBe(0);
  });

  test("included transactions leave no entries", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    pool.add(mempoolEntry({}), 0n);
    for (const taken of pool.take(1)) pool.settleIncluded(taken.hash);
    expect([pool.size, pool.inFlightSize]).toEqual([0, 0]);
    expect(pool.nextNonce(1n, 1n)).toBe(1n);
  });

  test.each(["settleIncluded", "settleRejected"] as const)(
    "an account without entries has the state's nonce again (%p)",
    (settle) => {
      const pool = new Mempool(MEMPOOL_LIMITS);
      const [first, second] = [mempoolEntry({ nonce: 5n }), mempoolEntry({ nonce: 6n })];
      for (const each of [first, second]) pool.add(each, 5n);
      pool.take(2);
      pool.settleIncluded(first.hash);
      expect(pool.nextNonce(1n, 3n)).toBe(7n);
      pool[settle](second.hash);
      expect(pool.nextNonce(1n, 3n)).toBe(3n);
    },
  );

  test("a pending deploy account transaction is found by its address", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    pool.add(mempoolEntry({ kind: "DEPLOY_ACCOUNT", sender: 9n }), 0n);
    expect(pool.hasDeployOf(9n)).toBe(true);
    for (const taken of pool.take(1)) pool.settleIncluded(taken.hash);
    expect(pool.hasDeployOf(9n)).toBe(false);
  });
});

describe("time to live", () => {
  test("older entries are dropped and returned", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const old = mempoolEntry({ sender: 1n, receivedAtMs: 0 });
    pool.add(old, 0n);
    pool.add(mempoolEntry({ sender: 2n, receivedAtMs: 900 }), 0n);
    expect(pool.expire(1001)).toEqual([old]);
    expect(pool.size).toBe(1);
  });

  test("entries in flight do not expire", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    pool.add(mempoolEntry({}), 0n);
    pool.take(1);
    expect(pool.expire(1e9)).toEqual([]);
  });
});

describe("after a restart", () => {
  const older = (fields: Partial<MempoolEntry>) =>
    mempoolEntry({ bytes: new Uint8Array(4), ...fields });

  test("all transactions are restored, whatever the limits", () => {
    const tight = {
      ...MEMPOOL_LIMITS,
      maxTransactions: 2,
      maxTransactionsPerAccount: 1,
      maxBytes: 5,
    };
    const pool = new Mempool({ ...tight, maxBytesPerAccount: 5 });
    for (let nonce = 0n; nonce < 30n; nonce++) {
      expect(pool.restore(older({ nonce }), 0n).kind).toBe("restored");
    }
    expect(pool.take(99)).toHaveLength(30);
  });

  test("limits apply to new arrivals", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxTransactionsPerAccount: 2 });
    for (let nonce = 0n; nonce < 3n; nonce++) pool.restore(older({ nonce }), 0n);
    expect(pool.add(mempoolEntry({ nonce: 3n }), 0n)).toEqual({ kind: "account_full", limit: 2 });
  });

  test("a used nonce is reported", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    expect(pool.restore(older({ nonce: 3n }), 4n)).toEqual({
      kind: "nonce_used",
      accountNonce: 4n,
    });
  });

  test("keeps the later of two transactions with the same nonce", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const [first, second] = [older({}), older({})];
    pool.restore(first, 0n);
    expect(pool.restore(second, 0n)).toEqual({ kind: "restored", replaced: first });
    expect(pool.take(5)).toEqual([second]);
  });

  test("the order of arrival precedes tips, since validity may depend on it", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const payer = older({ sender: 1n, tip: 0n });
    const payee = older({ sender: 2n, tip: 9n });
    for (const each of [payer, payee]) pool.restore(each, 0n);
    const late = mempoolEntry({ sender: 3n, tip: 99n });
    pool.add(late, 0n);
    expect(pool.take(5)).toEqual([payer, payee, late]);
  });

  test("a quarantined transaction is taken in a separate batch", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    for (let nonce = 0n; nonce < 4n; nonce++) pool.restore(older({ nonce }), 0n, nonce === 2n);
    const sizes = [1, 2, 3].map(() => pool.take(9).length);
    expect(sizes).toEqual([2, 1, 1]);
  });
});
