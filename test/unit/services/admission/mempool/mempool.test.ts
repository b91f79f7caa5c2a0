import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Mempool, outbids } from "#services/admission/mempool/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { MEMPOOL_LIMITS, mempoolEntry } from "#test/helpers/mempool-entry.ts";

const added = { kind: "added" as const, dropped: [] };

describe("order", () => {
  test("an account's transactions are taken by nonce, whatever the order of arrival", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    for (const nonce of [2n, 0n, 1n]) {
      expect(pool.add(mempoolEntry({ nonce }), 0n)).toEqual(added);
    }
    expect(pool.take(10).map((e) => e.nonce)).toEqual([0n, 1n, 2n]);
  });

  test("a nonce gap blocks later transactions until it is filled", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    pool.add(mempoolEntry({ nonce: 6n }), 5n);
    expect(pool.take(10)).toEqual([]);
    pool.add(mempoolEntry({ nonce: 5n }), 5n);
    expect(pool.take(10).map((e) => e.nonce)).toEqual([5n, 6n]);
  });

  test("between accounts the higher tip comes first, then the earlier arrival", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    pool.add(mempoolEntry({ sender: 1n, tip: 1n, receivedAtMs: 1 }), 0n);
    pool.add(mempoolEntry({ sender: 2n, tip: 9n, receivedAtMs: 3 }), 0n);
    pool.add(mempoolEntry({ sender: 3n, tip: 1n, receivedAtMs: 0 }), 0n);
    expect(pool.take(10).map((e) => e.sender)).toEqual([2n, 3n, 1n]);
  });

  test("take returns no more than requested", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    for (let i = 0n; i < 5n; i++) pool.add(mempoolEntry({ nonce: i }), 0n);
    expect(pool.take(2)).toHaveLength(2);
    expect(pool.take(9)).toHaveLength(3);
  });

  test("every permutation of arrivals is taken in nonce order per account", () => {
    const arrivals = fc.shuffledSubarray(
      [0, 1, 2, 3].flatMap((sender) => [0, 1, 2, 3].map((nonce) => ({ sender, nonce }))),
      { minLength: 16, maxLength: 16 },
    );
    assertProperty(
      fc.property(
        arrivals,
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 16 }),
        (all, sizes) => {
          const pool = new Mempool(MEMPOOL_LIMITS);
          const next = new Map<bigint, bigint>();
          let out = 0;
          for (const [i, { sender, nonce }] of all.entries()) {
            pool.add(mempoolEntry({ sender: BigInt(sender), nonce: BigInt(nonce) }), 0n);
            for (const taken of pool.take(sizes[i] ?? 1)) {
              const expected = next.get(taken.sender) ?? 0n;
              if (taken.nonce !== expected) return false;
              next.set(taken.sender, expected + 1n);
              out++;
            }
          }
          return out + pool.take(16).length === 16;
        },
      ),
    );
  });
});

describe("refusals", () => {
  test("the same hash twice is a duplicate, also while in flight", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const first = mempoolEntry({});
    pool.add(first, 0n);
    expect(pool.add(first, 0n)).toEqual({ kind: "duplicate" });
    pool.take(1);
    expect(pool.add(first, 0n)).toEqual({ kind: "duplicate" });
  });

  test("a nonce below the account's is too low and names the expected one", () => {
    expect(new Mempool(MEMPOOL_LIMITS).add(mempoolEntry({ nonce: 3n }), 4n)).toEqual({
      kind: "nonce_too_low",
      expected: 4n,
    });
  });

  test("a declaration with a future nonce is rejected", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    expect(pool.add(mempoolEntry({ kind: "DECLARE", nonce: 1n }), 0n)).toEqual({
      kind: "future_declare",
      expected: 0n,
    });
    expect(pool.size).toBe(0);
  });

  test("a declaration that follows pending transactions is accepted", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    pool.add(mempoolEntry({ nonce: 0n }), 0n);
    expect(pool.add(mempoolEntry({ kind: "DECLARE", nonce: 1n }), 0n)).toEqual(added);
  });

  test("another transaction for a nonce in flight is rejected", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    pool.add(mempoolEntry({}), 0n);
    pool.take(1);
    expect(pool.add(mempoolEntry({}), 0n)).toEqual({ kind: "in_flight" });
  });

  test("the transaction limit per account applies", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxTransactionsPerAccount: 2 });
    pool.add(mempoolEntry({ nonce: 0n }), 0n);
    pool.add(mempoolEntry({ nonce: 1n }), 0n);
    expect(pool.add(mempoolEntry({ nonce: 2n }), 0n)).toEqual({ kind: "account_full", limit: 2 });
  });

  test("a nonce beyond the account's transaction limit is rejected", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    expect(pool.add(mempoolEntry({ nonce: 25n }), 5n)).toEqual({
      kind: "nonce_too_high",
      highest: 24n,
    });
    expect(pool.add(mempoolEntry({ nonce: 24n }), 5n)).toEqual(added);
  });

  test("nonces in flight extend the highest nonce of an account", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxTransactionsPerAccount: 2 });
    for (const nonce of [0n, 1n]) pool.add(mempoolEntry({ nonce }), 0n);
    pool.take(2);
    expect(pool.add(mempoolEntry({ nonce: 3n }), 0n)).toEqual(added);
    expect(pool.add(mempoolEntry({ nonce: 4n }), 0n)).toEqual({
      kind: "nonce_too_high",
      highest: 3n,
    });
  });

  test("the bytes of an account are limited, replacements included", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxBytesPerAccount: 10 });
    pool.add(mempoolEntry({ nonce: 0n, bytes: new Uint8Array(6) }), 0n);
    const full = { kind: "account_bytes_full" as const, limit: 10 };
    expect(pool.add(mempoolEntry({ nonce: 1n, bytes: new Uint8Array(5) }), 0n)).toEqual(full);
    expect(pool.add(mempoolEntry({ nonce: 1n, bytes: new Uint8Array(4) }), 0n)).toEqual(added);
    expect(pool.add(mempoolEntry({ nonce: 1n, tip: 1n, bytes: new Uint8Array(5) }), 0n)).toEqual(
      full,
    );
  });

  test("check reports the refusal without a change, before validation", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    expect(pool.check(mempoolEntry({ nonce: 3n }), 4n)).toEqual({
      kind: "nonce_too_low",
      expected: 4n,
    });
    expect(pool.check(mempoolEntry({ nonce: 4n }), 4n)).toBeUndefined();
    expect(pool.size).toBe(0);
  });

  test("the declaration limit applies", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxDeclareTransactions: 1 });
    pool.add(mempoolEntry({ kind: "DECLARE", sender: 1n }), 0n);
    expect(pool.add(mempoolEntry({ kind: "DECLARE", sender: 2n }), 0n)).toEqual({
      kind: "declares_full",
      limit: 1,
    });
  });
});

describe("replacement", () => {
  test("needs tip and L2 gas price raised by the configured fraction", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const offer = (tip: bigint, maxL2GasPrice: bigint) => mempoolEntry({ tip, maxL2GasPrice });
    pool.add(offer(100n, 1_000n), 0n);
    for (const [tip, price] of [
      [109n, 1_100n],
      [110n, 1_099n],
      [100n, 2_000n],
      [200n, 1_000n],
    ] as const) {
      expect(pool.add(offer(tip, price), 0n)).toEqual({
        kind: "underpriced",
        required: { tip: 110n, maxL2GasPrice: 1_100n },
      });
    }
    expect(pool.add(offer(110n, 1_100n), 0n).kind).toBe("added");
    expect(pool.take(5).map((e) => e.tip)).toEqual([110n]);
  });

  test("returns the replaced entry", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const old = mempoolEntry({});
    pool.add(old, 0n);
    expect(pool.add(mempoolEntry({ tip: 1n }), 0n)).toEqual({
      kind: "added",
      dropped: [{ entry: old, cause: "replaced" }],
    });
    expect(pool.find(old.hash)).toBeUndefined();
  });

  test.each([
    // Old tip and price, new ones. Fractions are rounded down, as in the networks' mempool.
    [[15n, 100n], [16n, 110n], true],
    [[15n, 100n], [15n, 110n], false],
    [[0n, 100n], [0n, 110n], true],
    [[0n, 100n], [0n, 109n], false],
    // Values too small for the fraction must still be raised.
    [[0n, 0n], [0n, 0n], false],
    [[0n, 0n], [1n, 0n], true],
    [[9n, 9n], [9n, 9n], false],
    [[9n, 9n], [9n, 10n], true],
    [[9n, 9n], [10n, 8n], false],
  ] as const)("of %p by %p is %p", ([tip, maxL2GasPrice], [newTip, newPrice], isOne) => {
    const offer = { tip: newTip, maxL2GasPrice: newPrice };
    expect(outbids(offer, { tip, maxL2GasPrice }, 0.1)).toBe(isOne);
  });
});

describe("a full mempool", () => {
  test("rejects new entries with the policy reject_new", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxTransactions: 1 });
    pool.add(mempoolEntry({ sender: 1n }), 0n);
    expect(pool.add(mempoolEntry({ sender: 2n, tip: 5n }), 0n)).toEqual({ kind: "full", limit: 1 });
  });

  test("evicts the entry furthest from execution with the policy evict_less_desirable", () => {
    const limits = {
      ...MEMPOOL_LIMITS,
      maxTransactions: 2,
      fullPolicy: "evict_less_desirable",
    } as const;
    const pool = new Mempool(limits);
    const far = mempoolEntry({ sender: 1n, nonce: 7n, tip: 50n });
    pool.add(far, 0n);
    pool.add(mempoolEntry({ sender: 2n }), 0n);
    expect(pool.add(mempoolEntry({ sender: 3n }), 0n)).toEqual({
      kind: "added",
      dropped: [{ entry: far, cause: "evicted" }],
    });
  });

  test("frees all bytes that an entry needs, or none", () => {
    const limits = { ...MEMPOOL_LIMITS, maxBytes: 10, fullPolicy: "evict_less_desirable" } as const;
    const pool = new Mempool(limits);
    const two = [1n, 2n].map((sender) =>
      mempoolEntry({ sender, nonce: sender, bytes: new Uint8Array(5) }),
    );
    for (const each of two) pool.add(each, 0n);
    const large = { sender: 3n, bytes: new Uint8Array(10) };
    expect(pool.add(mempoolEntry({ ...large, nonce: 1n }), 0n)).toEqual({
      kind: "bytes_full",
      limit: 10,
    });
    expect(pool.size).toBe(2);
    expect(pool.add(mempoolEntry({ ...large, nonce: 0n }), 0n)).toEqual({
      kind: "added",
      dropped: two.toReversed().map((each) => ({ entry: each, cause: "evicted" })),
    });
    expect([pool.size, pool.bytes]).toEqual([1, 10]);
  });

  test("evicts an account's far transaction for a near one of the same account", () => {
    const limits = {
      ...MEMPOOL_LIMITS,
      maxTransactions: 1,
      fullPolicy: "evict_less_desirable",
    } as const;
    const pool = new Mempool(limits);
    pool.add(mempoolEntry({ nonce: 3n }), 0n);
    expect(pool.add(mempoolEntry({ nonce: 0n }), 0n).kind).toBe("added");
    expect(pool.take(5).map((e) => e.nonce)).toEqual([0n]);
  });

  test("keeps its entries when the new one is less desirable", () => {
    const limits = {
      ...MEMPOOL_LIMITS,
      maxTransactions: 1,
      fullPolicy: "evict_less_desirable",
    } as const;
    const pool = new Mempool(limits);
    pool.add(mempoolEntry({ sender: 1n, tip: 5n }), 0n);
    expect(pool.add(mempoolEntry({ sender: 2n, tip: 4n }), 0n).kind).toBe("full");
  });
});
