import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  bumpedTip,
  Mempool,
  type MempoolEntry,
  type MempoolLimits,
} from "#services/admission/mempool/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const LIMITS: MempoolLimits = {
  maxTransactions: 100,
  maxBytes: 100_000,
  maxTransactionsPerAccount: 20,
  maxBytesPerAccount: 10_000,
  maxDeclareTransactions: 2,
  ttlMs: 1000,
  minTipBump: 0.1,
  fullPolicy: "reject_new",
  order: "tip",
};

let nextHash = 1n;

function entry(fields: Partial<MempoolEntry>): MempoolEntry {
  return {
    hash: nextHash++,
    sender: 1n,
    nonce: 0n,
    tip: 0n,
    kind: "INVOKE",
    receivedAtMs: 0,
    bytes: new Uint8Array(),
    ...fields,
  };
}

const added = { kind: "added" as const, dropped: [] };

describe("order", () => {
  test("an account's transactions are handed out by nonce, whatever the order of arrival", () => {
    const pool = new Mempool(LIMITS);
    for (const nonce of [2n, 0n, 1n]) {
      expect(pool.add(entry({ nonce }), 0n)).toEqual(added);
    }
    expect(pool.take(10).map((e) => e.nonce)).toEqual([0n, 1n, 2n]);
  });

  test("a gap holds back what follows it until it is filled", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({ nonce: 6n }), 5n);
    expect(pool.take(10)).toEqual([]);
    pool.add(entry({ nonce: 5n }), 5n);
    expect(pool.take(10).map((e) => e.nonce)).toEqual([5n, 6n]);
  });

  test("between accounts the higher tip comes first, then the earlier arrival", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({ sender: 1n, tip: 1n, receivedAtMs: 1 }), 0n);
    pool.add(entry({ sender: 2n, tip: 9n, receivedAtMs: 3 }), 0n);
    pool.add(entry({ sender: 3n, tip: 1n, receivedAtMs: 0 }), 0n);
    expect(pool.take(10).map((e) => e.sender)).toEqual([2n, 3n, 1n]);
  });

  test("take hands out no more than asked", () => {
    const pool = new Mempool(LIMITS);
    for (let i = 0n; i < 5n; i++) pool.add(entry({ nonce: i }), 0n);
    expect(pool.take(2)).toHaveLength(2);
    expect(pool.take(9)).toHaveLength(3);
  });

  test("every permutation of arrivals is handed out in nonce order per account", () => {
    const arrivals = fc.shuffledSubarray(
      [0, 1, 2, 3].flatMap((sender) => [0, 1, 2, 3].map((nonce) => ({ sender, nonce }))),
      { minLength: 16, maxLength: 16 },
    );
    assertProperty(
      fc.property(
        arrivals,
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 16 }),
        (all, sizes) => {
          const pool = new Mempool(LIMITS);
          const next = new Map<bigint, bigint>();
          let out = 0;
          for (const [i, { sender, nonce }] of all.entries()) {
            pool.add(entry({ sender: BigInt(sender), nonce: BigInt(nonce) }), 0n);
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
    const pool = new Mempool(LIMITS);
    const first = entry({});
    pool.add(first, 0n);
    expect(pool.add(first, 0n)).toEqual({ kind: "duplicate" });
    pool.take(1);
    expect(pool.add(first, 0n)).toEqual({ kind: "duplicate" });
  });

  test("a nonce below the account's is too low and tells the expected one", () => {
    expect(new Mempool(LIMITS).add(entry({ nonce: 3n }), 4n)).toEqual({
      kind: "nonce_too_low",
      expected: 4n,
    });
  });

  test("a declare with a future nonce is refused", () => {
    const pool = new Mempool(LIMITS);
    expect(pool.add(entry({ kind: "DECLARE", nonce: 1n }), 0n)).toEqual({
      kind: "future_declare",
      expected: 0n,
    });
    expect(pool.size).toBe(0);
  });

  test("a declare that follows waiting transactions is taken", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({ nonce: 0n }), 0n);
    expect(pool.add(entry({ kind: "DECLARE", nonce: 1n }), 0n)).toEqual(added);
  });

  test("another transaction for a nonce in flight is refused", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({}), 0n);
    pool.take(1);
    expect(pool.add(entry({}), 0n)).toEqual({ kind: "in_flight" });
  });

  test("the cap per account holds", () => {
    const pool = new Mempool({ ...LIMITS, maxTransactionsPerAccount: 2 });
    pool.add(entry({ nonce: 0n }), 0n);
    pool.add(entry({ nonce: 1n }), 0n);
    expect(pool.add(entry({ nonce: 2n }), 0n)).toEqual({ kind: "account_full", limit: 2 });
  });

  test("a nonce that the account could not reach with all it may have is refused", () => {
    const pool = new Mempool(LIMITS);
    expect(pool.add(entry({ nonce: 25n }), 5n)).toEqual({ kind: "nonce_too_high", highest: 24n });
    expect(pool.add(entry({ nonce: 24n }), 5n)).toEqual(added);
  });

  test("nonces in flight count for the reach of an account", () => {
    const pool = new Mempool({ ...LIMITS, maxTransactionsPerAccount: 2 });
    for (const nonce of [0n, 1n]) pool.add(entry({ nonce }), 0n);
    pool.take(2);
    expect(pool.add(entry({ nonce: 3n }), 0n)).toEqual(added);
    expect(pool.add(entry({ nonce: 4n }), 0n)).toEqual({ kind: "nonce_too_high", highest: 3n });
  });

  test("the bytes of an account are limited, replacements included", () => {
    const pool = new Mempool({ ...LIMITS, maxBytesPerAccount: 10 });
    pool.add(entry({ nonce: 0n, bytes: new Uint8Array(6) }), 0n);
    const full = { kind: "account_bytes_full" as const, limit: 10 };
    expect(pool.add(entry({ nonce: 1n, bytes: new Uint8Array(5) }), 0n)).toEqual(full);
    expect(pool.add(entry({ nonce: 1n, bytes: new Uint8Array(4) }), 0n)).toEqual(added);
    expect(pool.add(entry({ nonce: 1n, tip: 1n, bytes: new Uint8Array(5) }), 0n)).toEqual(full);
  });

  test("what would be refused is told without a change, before anything is validated", () => {
    const pool = new Mempool(LIMITS);
    expect(pool.check(entry({ nonce: 3n }), 4n)).toEqual({ kind: "nonce_too_low", expected: 4n });
    expect(pool.check(entry({ nonce: 4n }), 4n)).toBeUndefined();
    expect(pool.size).toBe(0);
  });

  test("the cap on declares holds", () => {
    const pool = new Mempool({ ...LIMITS, maxDeclareTransactions: 1 });
    pool.add(entry({ kind: "DECLARE", sender: 1n }), 0n);
    expect(pool.add(entry({ kind: "DECLARE", sender: 2n }), 0n)).toEqual({
      kind: "declares_full",
      limit: 1,
    });
  });
});

describe("replacement", () => {
  test("needs the tip raised by the configured fraction", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({ tip: 100n }), 0n);
    expect(pool.add(entry({ tip: 109n }), 0n)).toEqual({ kind: "underpriced", requiredTip: 110n });
    expect(pool.add(entry({ tip: 110n }), 0n).kind).toBe("added");
    expect(pool.take(5).map((e) => e.tip)).toEqual([110n]);
  });

  test("tells which entry it replaced", () => {
    const pool = new Mempool(LIMITS);
    const old = entry({});
    pool.add(old, 0n);
    expect(pool.add(entry({ tip: 1n }), 0n)).toEqual({
      kind: "added",
      dropped: [{ entry: old, cause: "replaced" }],
    });
    expect(pool.find(old.hash)).toBeUndefined();
  });

  test("a zero tip is raised by at least one", () => {
    expect(bumpedTip(0n, 0.1)).toBe(1n);
    expect(bumpedTip(15n, 0.1)).toBe(17n);
  });
});

describe("a full mempool", () => {
  test("refuses with the policy reject_new", () => {
    const pool = new Mempool({ ...LIMITS, maxTransactions: 1 });
    pool.add(entry({ sender: 1n }), 0n);
    expect(pool.add(entry({ sender: 2n, tip: 5n }), 0n)).toEqual({ kind: "full", limit: 1 });
  });

  test("evicts the entry furthest from execution with the policy evict_less_desirable", () => {
    const limits = { ...LIMITS, maxTransactions: 2, fullPolicy: "evict_less_desirable" } as const;
    const pool = new Mempool(limits);
    const far = entry({ sender: 1n, nonce: 7n, tip: 50n });
    pool.add(far, 0n);
    pool.add(entry({ sender: 2n }), 0n);
    expect(pool.add(entry({ sender: 3n }), 0n)).toEqual({
      kind: "added",
      dropped: [{ entry: far, cause: "evicted" }],
    });
  });

  test("makes room for bytes, all of it or none", () => {
    const limits = { ...LIMITS, maxBytes: 10, fullPolicy: "evict_less_desirable" } as const;
    const pool = new Mempool(limits);
    const two = [1n, 2n].map((sender) =>
      entry({ sender, nonce: sender, bytes: new Uint8Array(5) }),
    );
    for (const each of two) pool.add(each, 0n);
    const large = { sender: 3n, bytes: new Uint8Array(10) };
    expect(pool.add(entry({ ...large, nonce: 1n }), 0n)).toEqual({ kind: "bytes_full", limit: 10 });
    expect(pool.size).toBe(2);
    expect(pool.add(entry({ ...large, nonce: 0n }), 0n)).toEqual({
      kind: "added",
      dropped: two.toReversed().map((each) => ({ entry: each, cause: "evicted" })),
    });
    expect([pool.size, pool.bytes]).toEqual([1, 10]);
  });

  test("an account may give up its own far transaction for a near one", () => {
    const limits = { ...LIMITS, maxTransactions: 1, fullPolicy: "evict_less_desirable" } as const;
    const pool = new Mempool(limits);
    pool.add(entry({ nonce: 3n }), 0n);
    expect(pool.add(entry({ nonce: 0n }), 0n).kind).toBe("added");
    expect(pool.take(5).map((e) => e.nonce)).toEqual([0n]);
  });

  test("keeps what is there when the newcomer is less desirable", () => {
    const limits = { ...LIMITS, maxTransactions: 1, fullPolicy: "evict_less_desirable" } as const;
    const pool = new Mempool(limits);
    pool.add(entry({ sender: 1n, tip: 5n }), 0n);
    expect(pool.add(entry({ sender: 2n, tip: 4n }), 0n).kind).toBe("full");
  });
});

describe("what may not go yet", () => {
  test("stays with what its account has behind it, in its place, and goes later", () => {
    const pool = new Mempool({ ...LIMITS, order: "timestamp" });
    const held = entry({ sender: 1n, nonce: 0n, receivedAtMs: 0 });
    for (const each of [
      held,
      entry({ sender: 1n, nonce: 1n, receivedAtMs: 1 }),
      entry({ sender: 2n, nonce: 0n, receivedAtMs: 2 }),
      entry({ sender: 3n, nonce: 0n, receivedAtMs: 3 }),
    ]) {
      pool.add(each, 0n);
    }
    expect(pool.take(1, (e) => e !== held).map((e) => e.sender)).toEqual([2n]);
    expect(pool.take(0, (e) => e !== held)).toEqual([]);
    expect([pool.size, pool.inFlightSize]).toEqual([3, 1]);
    expect(pool.take(10).map((e) => [e.sender, e.nonce])).toEqual([
      [1n, 0n],
      [1n, 1n],
      [3n, 0n],
    ]);
  });
});

describe("settling", () => {
  test("a rejected transaction opens its nonce again and holds back what follows", () => {
    const pool = new Mempool(LIMITS);
    const first = entry({ nonce: 0n });
    pool.add(first, 0n);
    pool.take(1);
    pool.add(entry({ nonce: 1n }), 0n);
    pool.settleRejected(first.hash);
    expect(pool.take(5)).toEqual([]);
    pool.add(entry({ nonce: 0n }), 0n);
    expect(pool.take(5).map((e) => e.nonce)).toEqual([0n, 1n]);
  });

  test("what is given back is handed out again in order", () => {
    const pool = new Mempool(LIMITS);
    for (let i = 0n; i < 3n; i++) pool.add(entry({ nonce: i }), 0n);
    const taken = pool.take(3);
    pool.settleIncluded(taken[0]?.hash ?? 0n);
    pool.giveBack(taken.slice(1).map((e) => e.hash));
    expect(pool.take(3).map((e) => e.nonce)).toEqual([1n, 2n]);
  });

  test("a nonce in flight is not open for others when one before it was rejected", () => {
    const pool = new Mempool(LIMITS);
    const [first, second] = [entry({ nonce: 0n }), entry({ nonce: 1n })];
    for (const each of [first, second]) pool.add(each, 0n);
    pool.take(2);
    pool.settleRejected(first.hash);
    expect(pool.add(entry({ nonce: 1n, tip: 9n }), 0n)).toEqual({ kind: "in_flight" });
    pool.giveBack([second.hash]);
    pool.add(entry({ nonce: 0n }), 0n);
    expect(pool.take(5).map((e) => e.nonce)).toEqual([0n, 1n]);
    expect(pool.size).toBe(0);
  });

  test("included transactions leave nothing behind", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({}), 0n);
    for (const taken of pool.take(1)) pool.settleIncluded(taken.hash);
    expect([pool.size, pool.inFlightSize]).toEqual([0, 0]);
    expect(pool.nextNonce(1n, 1n)).toBe(1n);
  });

  test("a waiting deploy-account transaction is known by its address", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({ kind: "DEPLOY_ACCOUNT", sender: 9n }), 0n);
    expect(pool.hasDeployOf(9n)).toBe(true);
    for (const taken of pool.take(1)) pool.settleIncluded(taken.hash);
    expect(pool.hasDeployOf(9n)).toBe(false);
  });
});

describe("time to live", () => {
  test("entries older than it are dropped and named", () => {
    const pool = new Mempool(LIMITS);
    const old = entry({ sender: 1n, receivedAtMs: 0 });
    pool.add(old, 0n);
    pool.add(entry({ sender: 2n, receivedAtMs: 900 }), 0n);
    expect(pool.expire(1001)).toEqual([old]);
    expect(pool.size).toBe(1);
  });

  test("what is in flight does not expire", () => {
    const pool = new Mempool(LIMITS);
    pool.add(entry({}), 0n);
    pool.take(1);
    expect(pool.expire(1e9)).toEqual([]);
  });
});

describe("after a restart", () => {
  const older = (fields: Partial<MempoolEntry>) => entry({ bytes: new Uint8Array(4), ...fields });

  test("everything comes back, whatever the limits are now", () => {
    const tight = { ...LIMITS, maxTransactions: 2, maxTransactionsPerAccount: 1, maxBytes: 5 };
    const pool = new Mempool({ ...tight, maxBytesPerAccount: 5 });
    for (let nonce = 0n; nonce < 30n; nonce++) {
      expect(pool.restore(older({ nonce }), 0n).kind).toBe("restored");
    }
    expect(pool.take(99)).toHaveLength(30);
  });

  test("limits hold for what arrives then", () => {
    const pool = new Mempool({ ...LIMITS, maxTransactionsPerAccount: 2 });
    for (let nonce = 0n; nonce < 3n; nonce++) pool.restore(older({ nonce }), 0n);
    expect(pool.add(entry({ nonce: 3n }), 0n)).toEqual({ kind: "account_full", limit: 2 });
  });

  test("a transaction whose nonce is used is told", () => {
    const pool = new Mempool(LIMITS);
    expect(pool.restore(older({ nonce: 3n }), 4n)).toEqual({
      kind: "nonce_used",
      accountNonce: 4n,
    });
  });

  test("of two with one nonce the later one stays", () => {
    const pool = new Mempool(LIMITS);
    const [first, second] = [older({}), older({})];
    pool.restore(first, 0n);
    expect(pool.restore(second, 0n)).toEqual({ kind: "restored", replaced: first });
    expect(pool.take(5)).toEqual([second]);
  });

  test("the order of arrival holds before tips, since validity may depend on it", () => {
    const pool = new Mempool(LIMITS);
    const payer = older({ sender: 1n, tip: 0n });
    const payee = older({ sender: 2n, tip: 9n });
    for (const each of [payer, payee]) pool.restore(each, 0n);
    const late = entry({ sender: 3n, tip: 99n });
    pool.add(late, 0n);
    expect(pool.take(5)).toEqual([payer, payee, late]);
  });

  test("a suspect is handed out in a batch of its own", () => {
    const pool = new Mempool(LIMITS);
    for (let nonce = 0n; nonce < 4n; nonce++) pool.restore(older({ nonce }), 0n, nonce === 2n);
    const sizes = [1, 2, 3].map(() => pool.take(9).length);
    expect(sizes).toEqual([2, 1, 1]);
  });
});
