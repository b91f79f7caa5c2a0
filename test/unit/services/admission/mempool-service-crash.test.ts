import { describe, expect, test } from "bun:test";
import { type ExecutionRecord, UNNAMED } from "#io/storage/index.ts";
import {
  emptyInvoke,
  mempoolService,
  nonceState,
  settlement,
  storedRow,
} from "#test/helpers/mempool-world.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Rows of one account with nonces from 0 and hashes from 1000. */
function chainOf(sender: bigint, length: number) {
  return Array.from({ length }, (_, nonce) =>
    storedRow(BigInt(1000 + nonce), emptyInvoke(sender, BigInt(nonce))),
  );
}

describe("after a crash", () => {
  const executed = (fields: Partial<ExecutionRecord>): ExecutionRecord => ({
    hash: 1001n,
    attempt: 1,
    cause: null,
    ...fields,
  });

  test("with a known cause, the executed transaction is dropped with it and the rest continues", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const { store, service } = await mempoolService(path);
    store.put([...chainOf(1n, 3), storedRow(7n, emptyInvoke(2n, 0n))]);
    const dropped = service.reload(nonceState(), executed({ cause: "unreachable" }), undefined);
    expect(dropped.map(({ hash, cause }) => [hash, cause])).toEqual([[1001n, "fatal"]]);
    expect(service.take(9, () => 0).entries.map(({ hash }) => hash)).toEqual([1000n, 7n]);
    store.close();
    const again = await mempoolService(path);
    expect(again.service.rejectionOf(1001n)?.reason).toContain("unreachable");
    again.store.close();
  });

  test("without a cause, the executed transaction is retried alone, also after another start", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const first = await mempoolService(path);
    first.store.put(chainOf(1n, 3));
    expect(first.service.reload(nonceState(), executed({}), undefined)).toEqual([]);
    first.store.close();
    const { store, service } = await mempoolService(path);
    service.reload(nonceState(), undefined, undefined);
    const batches = [1, 2, 3].map(() => service.take(9, () => 0));
    expect(batches.map(({ entries, attempt }) => [entries.map((e) => e.hash), attempt])).toEqual([
      [[1000n], 1],
      [[1001n], 2],
      [[1002n], 1],
    ]);
    store.close();
  });

  test("the same record counts only once, because the journal is settled after the store", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const first = await mempoolService(path);
    first.store.put(chainOf(1n, 2));
    first.service.reload(nonceState(), executed({}), undefined);
    first.store.close();
    const { store, service } = await mempoolService(path);
    expect(service.reload(nonceState(), executed({}), undefined)).toEqual([]);
    expect(store.loadAll()).toHaveLength(2);
    store.close();
  });

  test("a transaction is retried four times, then dropped", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const first = await mempoolService(path);
    first.store.put([storedRow(1001n, emptyInvoke(1n, 0n))]);
    first.store.close();
    for (const attempt of [1, 2, 3, 4]) {
      const { store, service } = await mempoolService(path);
      expect(service.reload(nonceState(), executed({ attempt }), undefined)).toEqual([]);
      expect(service.take(9, () => 0).attempt).toBe(attempt + 1);
      store.close();
    }
    const { store, service } = await mempoolService(path);
    service.reload(nonceState(), executed({ attempt: 5 }), undefined);
    expect(store.loadAll()).toEqual([]);
    expect(service.rejectionOf(1001n)).toMatchObject({
      cause: "fatal",
      reason: "the process died 5 times while it executed the transaction",
    });
    store.close();
  });

  test.each(["included", "rejected"] as const)(
    "a quarantined transaction that was executed and %s leaves quarantine",
    async (end) => {
      using folder = temporaryFolder();
      const path = folder.file("mempool.db");
      const first = await mempoolService(path);
      first.store.put([storedRow(1001n, emptyInvoke(1n, 0n))]);
      first.service.reload(nonceState(), executed({}), undefined);
      const { entries } = first.service.take(9, () => 0);
      const hashes = entries.map(({ hash }) => hash);
      first.service.settle(
        settlement(
          end === "included"
            ? { included: hashes }
            : { rejected: hashes.map((hash) => ({ hash, code: "INVALID_NONCE", reason: "" })) },
        ),
      );
      expect(first.store.loadAll().filter(({ crashes }) => crashes > 0)).toEqual([]);
      first.store.close();
    },
  );

  test("a quarantined transaction that is returned stays in quarantine", async () => {
    using folder = temporaryFolder();
    const { store, service } = await mempoolService(folder.file("mempool.db"));
    store.put([storedRow(1001n, emptyInvoke(1n, 0n))]);
    service.reload(nonceState(), executed({}), undefined);
    service.take(9, () => 0);
    service.settle(settlement({ delta: null, requeued: [1001n] }));
    expect(service.take(9, () => 0).attempt).toBe(2);
    expect(store.loadAll().map(({ crashes }) => crashes)).toEqual([1]);
    store.close();
  });

  test.each([1001n, 5n])(
    "a record of an included or unknown transaction has no effect (%p)",
    async (hash) => {
      using folder = temporaryFolder();
      const { store, service } = await mempoolService(
        folder.file("mempool.db"),
        {},
        {
          chain: { locate: (hash) => (hash === 1001n ? { blockNumber: 1, index: 0 } : undefined) },
        },
      );
      store.put(chainOf(1n, 2));
      expect(service.reload(nonceState(), executed({ hash, cause: "x" }), undefined)).toEqual([]);
      expect(service.rejectionOf(hash)).toBeUndefined();
      store.close();
    },
  );
});

describe("after a crash with several transactions in execution", () => {
  const unnamed = (fields: Partial<ExecutionRecord>): ExecutionRecord => ({
    hash: UNNAMED,
    attempt: 1,
    cause: null,
    ...fields,
  });

  test.each([
    ["while executing, with a known cause", unnamed({ cause: "no root" }), undefined],
    ["while committing, with a known cause", undefined, unnamed({ cause: "no root" })],
    ["five times without a trace", undefined, unnamed({ attempt: 5 })],
  ])("%s, all are executed alone, also after another start", async (_, executed, committed) => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const first = await mempoolService(path);
    first.store.put([...chainOf(1n, 2), storedRow(7n, emptyInvoke(2n, 0n))]);
    expect(first.service.reload(nonceState(), executed, committed)).toEqual([]);
    first.store.close();
    const { store, service } = await mempoolService(path);
    service.reload(nonceState(), undefined, undefined);
    const batches = [1, 2, 3].map(() => service.take(9, () => 0));
    expect(batches.map(({ entries, attempt }) => [entries.map((e) => e.hash), attempt])).toEqual([
      [[1000n], 2],
      [[1001n], 2],
      [[7n], 2],
    ]);
    store.close();
  });

  test("four times without a trace, they are executed together", async () => {
    using folder = temporaryFolder();
    const { store, service } = await mempoolService(folder.file("mempool.db"));
    store.put(chainOf(1n, 3));
    service.reload(nonceState(), unnamed({ attempt: 4 }), unnamed({ attempt: 4 }));
    expect(service.take(9, () => 0)).toMatchObject({ attempt: 1, entries: { length: 3 } });
    store.close();
  });

  test("a transaction whose own block crashed is dropped with the cause; the rest stays alone", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const first = await mempoolService(path);
    first.store.put([storedRow(7n, emptyInvoke(2n, 0n)), ...chainOf(1n, 2)]);
    first.service.reload(nonceState(), undefined, unnamed({ cause: "no root" }));
    const { entries } = first.service.take(9, () => 0);
    first.service.settle(settlement({ included: entries.map(({ hash }) => hash) }));
    first.store.close();
    const { store, service } = await mempoolService(path);
    const own = { hash: 7n, attempt: 2, cause: "no root" };
    expect(service.reload(nonceState(), undefined, own)).toMatchObject([
      {
        hash: 7n,
        cause: "fatal",
        reason: "a part of the node died while it committed the transaction: no root",
      },
    ]);
    expect(service.take(9, () => 0)).toMatchObject({ attempt: 2, entries: [{ hash: 1000n }] });
    store.close();
  });
});

describe("after a crash during validation", () => {
  test.each([
    ["with a known cause, the transaction is permanently rejected", "unreachable", "fatal"],
    ["without a trace, the transaction may be sent again", null, undefined],
  ] as const)("%s", async (_, cause, expected) => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const { store, service } = await mempoolService(path);
    service.noteValidation(undefined);
    service.noteValidation({ hash: 5n, attempt: 1, cause });
    store.close();
    const again = await mempoolService(path);
    const rejection = again.service.rejectionOf(5n);
    expect(rejection?.cause).toBe(expected);
    expect(rejection?.reason.includes("unreachable")).toBe(cause === null ? undefined : true);
    again.store.close();
  });
});
