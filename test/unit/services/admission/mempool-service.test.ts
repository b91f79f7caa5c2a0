import { describe, expect, test } from "bun:test";
import { MempoolService } from "#services/admission/mempool-service.ts";
import { Mempool } from "#services/admission/mempool/index.ts";
import { MEMPOOL_LIMITS } from "#test/helpers/mempool-entry.ts";
import { memoryMempoolStore } from "#test/helpers/memory-mempool-store.ts";
import {
  emptyDeclare,
  emptyDeployAccount,
  emptyInvoke,
  mempoolService,
  nonceState,
  settlement,
  storedRow,
} from "#test/helpers/mempool-world.ts";
import { EMPTY_CHAIN } from "#test/helpers/sample-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const TIGHT = {
  maxTransactions: 2,
  maxTransactionsPerAccount: 1,
  maxBytes: 10,
  maxBytesPerAccount: 10,
};

/** Rows of one account with nonces from 0 and hashes from 1000. */
function chainOf(sender: bigint, length: number) {
  return Array.from({ length }, (_, nonce) =>
    storedRow(BigInt(1000 + nonce), emptyInvoke(sender, BigInt(nonce))),
  );
}

describe("a restart", () => {
  test("restores 1300 uncommitted transactions of one account, whatever the limits", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const before = await mempoolService(path);
    before.store.put(chainOf(1n, 1300));
    before.service.reload(nonceState(), undefined, undefined);
    // All are executed, none is committed.
    const { entries } = before.service.take(5000, () => 0);
    before.service.settle(settlement({ included: entries.map(({ hash }) => hash) }));
    expect(before.pool.size).toBe(0);
    before.store.close();
    const after = await mempoolService(path, TIGHT);
    expect(after.service.reload(nonceState(), undefined, undefined)).toEqual([]);
    expect(after.store.loadAll()).toHaveLength(1300);
    expect(after.service.take(5000, () => 0).entries.map(({ hash }) => hash)).toEqual(
      chainOf(1n, 1300).map(({ hash }) => hash),
    );
    after.store.close();
  });

  test("restores the mark of impersonated senders", async () => {
    using folder = temporaryFolder();
    const { store, service } = await mempoolService(folder.file("mempool.db"));
    const [first, second] = chainOf(1n, 2).map((row, nonce) => ({
      ...row,
      isImpersonated: nonce === 1,
    }));
    store.put([first, second].filter((row) => row !== undefined));
    service.reload(nonceState(), undefined, undefined);
    const { entries } = service.take(2, () => 0);
    expect(entries.map(({ isImpersonated }) => isImpersonated ?? false)).toEqual([false, true]);
    store.close();
  });

  test("counts the classes of declarations, which stay in the store", async () => {
    using folder = temporaryFolder();
    const { store, pool, service } = await mempoolService(folder.file("mempool.db"));
    const row = storedRow(1n, emptyDeclare(9n, 0n));
    const declared = { contractClass: new Uint8Array(5000), casmJson: "{}" };
    store.put([{ ...row, declared }]);
    service.reload(nonceState(), undefined, undefined);
    expect(pool.bytes).toBe(row.bytes.length + 5000);
    expect(pool.find(1n)).toMatchObject({ kind: "DECLARE", bytes: row.bytes });
    expect(store.declaredClass(1n)).toEqual(declared);
    store.close();
  });

  test("restores a deploy account transaction and its successors in order", async () => {
    using folder = temporaryFolder();
    const { store, service } = await mempoolService(folder.file("mempool.db"), TIGHT);
    store.put([
      storedRow(1n, emptyDeployAccount(9n)),
      storedRow(2n, emptyInvoke(9n, 1n)),
      storedRow(3n, emptyInvoke(9n, 2n)),
    ]);
    service.reload(nonceState(), undefined, undefined);
    expect(service.take(9, () => 0).entries.map(({ hash }) => hash)).toEqual([1n, 2n, 3n]);
    store.close();
  });

  test("removes included transactions without a reason", async () => {
    using folder = temporaryFolder();
    const { store, pool, service } = await mempoolService(
      folder.file("mempool.db"),
      {},
      { chain: { locate: (hash) => (hash === 1000n ? { blockNumber: 1, index: 0 } : undefined) } },
    );
    store.put(chainOf(1n, 2));
    expect(service.reload(nonceState({ 1: 1n }), undefined, undefined)).toEqual([]);
    expect([store.loadAll().length, pool.size]).toEqual([1, 1]);
    expect(service.rejectionOf(1000n)).toBeUndefined();
    store.close();
  });

  test("keeps a reason for transactions whose nonce is used", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const { store, service } = await mempoolService(path);
    store.put(chainOf(1n, 2));
    service.reload(nonceState({ 1: 1n }), undefined, undefined);
    store.close();
    const again = await mempoolService(path);
    expect(again.service.rejectionOf(1000n)).toEqual({
      hash: 1000n,
      cause: "nonce_used",
      reason: "another transaction of the account has used nonce 0",
      rejectedAtMs: 5_000,
    });
    expect(again.store.loadAll().map(({ hash }) => hash)).toEqual([1001n]);
    again.store.close();
  });

  test("keeps the later of two transactions with the same nonce, and a reason for the other", async () => {
    using folder = temporaryFolder();
    const { store, service } = await mempoolService(folder.file("mempool.db"));
    store.put([storedRow(1n, emptyInvoke(9n, 0n)), storedRow(2n, emptyInvoke(9n, 0n, 5n))]);
    service.reload(nonceState(), undefined, undefined);
    expect(service.take(9, () => 0).entries.map(({ hash }) => hash)).toEqual([2n]);
    expect(service.rejectionOf(1n)?.cause).toBe("replaced");
    store.close();
  });
});

describe("at run time", () => {
  test("included transactions stay stored until their block is accepted", async () => {
    using folder = temporaryFolder();
    const { store, service } = await mempoolService(folder.file("mempool.db"));
    store.put(chainOf(1n, 2));
    service.reload(nonceState(), undefined, undefined);
    service.take(9, () => 0);
    service.settle(settlement({ included: [1000n, 1001n] }));
    service.accepted(0);
    expect(store.loadAll()).toHaveLength(2);
    service.accepted(1);
    expect(store.loadAll()).toEqual([]);
    store.close();
  });

  test("rejected transactions are removed, and their reason is kept", async () => {
    using folder = temporaryFolder();
    const { store, service, reported } = await mempoolService(folder.file("mempool.db"));
    store.put(chainOf(1n, 1));
    service.reload(nonceState(), undefined, undefined);
    service.take(9, () => 0);
    const rejected = [{ hash: 1000n, code: "INSUFFICIENT_BALANCE", reason: "no balance" }] as const;
    service.settle(settlement({ delta: null, rejected }));
    expect(reported).toMatchObject([{ ...rejected[0], sender: 1n }]);
    expect(store.loadAll()).toEqual([]);
    expect(service.rejectionOf(1000n)).toMatchObject({ cause: "rejected", reason: "no balance" });
    store.close();
  });

  test("reasons are kept for their TTL, up to a hundred thousand", () => {
    const store = memoryMempoolStore();
    const service = new MempoolService({
      pool: new Mempool(MEMPOOL_LIMITS),
      store,
      chain: EMPTY_CHAIN,
      rejectionTtlMs: 400,
      onIncluded: () => undefined,
      onRejected: () => undefined,
      nowMs: () => 1_000,
    });
    service.expire();
    expect(store.forgotten).toEqual([[600, 100_000]]);
  });

  test("transactions expire with a reason, and reasons expire later", async () => {
    using folder = temporaryFolder();
    let nowMs = 100;
    const { store, service } = await mempoolService(
      folder.file("mempool.db"),
      { ttlMs: 50 },
      { nowMs: () => nowMs, rejectionTtlMs: 200_000 },
    );
    store.put(chainOf(1n, 1));
    service.reload(nonceState(), undefined, undefined);
    expect(service.expire().map(({ hash, cause }) => [hash, cause])).toEqual([[1000n, "expired"]]);
    nowMs = 150_000;
    expect(service.expire()).toEqual([]);
    expect(service.rejectionOf(1000n)?.reason).toContain("mempool_ttl");
    nowMs = 250_000;
    service.expire();
    expect(service.rejectionOf(1000n)).toBeUndefined();
    expect(store.loadAll()).toEqual([]);
    store.close();
  });
});
