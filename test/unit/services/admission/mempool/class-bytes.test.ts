import { describe, expect, test } from "bun:test";
import { Mempool, type MempoolEntry } from "#services/admission/mempool/index.ts";
import { MEMPOOL_LIMITS, mempoolEntry } from "#test/helpers/mempool-entry.ts";

/** Declaration of 4 bytes whose class has `classSizeBytes`. */
const declare = (classSizeBytes: number, fields: Partial<MempoolEntry> = {}) =>
  mempoolEntry({ kind: "DECLARE", bytes: new Uint8Array(4), classSizeBytes, ...fields });

describe("the class of a declaration", () => {
  test("counts among the pending bytes as long as its declaration is pending", () => {
    const pool = new Mempool(MEMPOOL_LIMITS);
    const entry = declare(6);
    pool.add(entry, 0n);
    expect(pool.bytes).toBe(10);
    pool.take(1);
    expect(pool.bytes).toBe(0);
    pool.requeue([entry.hash]);
    expect(pool.bytes).toBe(10);
    pool.take(1);
    pool.settleIncluded(entry.hash);
    expect(pool.bytes).toBe(0);
  });

  test("counts against the bytes of the mempool", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxBytes: 20 });
    pool.add(declare(6), 0n);
    const full = { kind: "bytes_full", limit: 20 } as const;
    expect(pool.check(declare(7, { sender: 2n }), 0n)).toEqual(full);
    expect(pool.add(declare(7, { sender: 2n }), 0n)).toEqual(full);
    expect(pool.add(declare(6, { sender: 2n }), 0n).kind).toBe("added");
  });

  test("is rejected above the mempool's byte limit, without an eviction", () => {
    const fullPolicy = "evict_less_desirable";
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxBytes: 20, fullPolicy });
    pool.add(mempoolEntry({ sender: 2n, nonce: 5n }), 0n);
    expect(pool.add(declare(17), 0n)).toEqual({ kind: "bytes_full", limit: 20 });
    expect(pool.size).toBe(1);
  });

  test("evicts as many others as it needs room for", () => {
    const fullPolicy = "evict_less_desirable";
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxBytes: 20, fullPolicy });
    const others = [2n, 3n, 4n].map((sender) =>
      mempoolEntry({ sender, nonce: 5n, bytes: new Uint8Array(5) }),
    );
    for (const other of others) pool.add(other, 0n);
    const outcome = pool.add(declare(8), 0n);
    expect(outcome.kind === "added" && outcome.dropped).toHaveLength(2);
    expect(pool.bytes).toBe(5 + 12);
  });

  test("counts against the bytes of its account", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxBytesPerAccount: 20 });
    pool.add(declare(6), 0n);
    const full = { kind: "account_bytes_full", limit: 20 } as const;
    expect(pool.add(declare(7, { nonce: 1n }), 0n)).toEqual(full);
    expect(pool.add(mempoolEntry({ nonce: 1n, bytes: new Uint8Array(11) }), 0n)).toEqual(full);
    expect(pool.add(declare(6, { nonce: 1n }), 0n).kind).toBe("added");
  });

  test("frees its room for its replacement", () => {
    const pool = new Mempool({ ...MEMPOOL_LIMITS, maxBytes: 20, maxBytesPerAccount: 20 });
    pool.add(declare(16), 0n);
    expect(pool.add(declare(17, { tip: 5n }), 0n)).toMatchObject({ kind: "account_bytes_full" });
    expect(pool.add(declare(15, { tip: 5n }), 0n).kind).toBe("added");
    expect(pool.bytes).toBe(19);
  });
});
