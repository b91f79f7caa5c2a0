import { describe, expect, test } from "bun:test";
import type { AdmissionReply } from "#services/admission/requests.ts";
import { Mempool } from "#services/admission/mempool/index.ts";
import { FLUSH_STEP, OperatorHandler } from "#services/admission/operator-handler.ts";
import type { Departure } from "#services/admission/rejection-reasons.ts";
import { MEMPOOL_LIMITS, mempoolEntry } from "#test/helpers/mempool-entry.ts";
import { memoryMempoolStore } from "#test/helpers/memory-mempool-store.ts";
import { admissionWorld, settle } from "#test/helpers/admission-world.ts";
import { WIDE_LIMITS } from "#test/helpers/mempool-world.ts";
import { positionAt } from "#engine/state/index.ts";

function world(
  isDurable: (hash: bigint) => boolean = () => true,
  limits = MEMPOOL_LIMITS,
  nowMs = () => 77,
) {
  const pool = new Mempool(limits);
  const store = memoryMempoolStore();
  const departures: Departure[] = [];
  const handler = new OperatorHandler({
    pool,
    store,
    isDurable,
    onDropped: (gone) => void departures.push(...gone),
    nowMs,
  });
  return { pool, store, handler, departures };
}

describe("a mempool listing", () => {
  test("shows pending transactions in the order of arrival, in pages", () => {
    const { pool, handler } = world();
    const entries = [3n, 1n, 2n, 5n].map((sender) => mempoolEntry({ sender, nonce: 0n }));
    for (const entry of entries) pool.add(entry, 0n);
    const hashes = (offset: number, limit: number) =>
      handler.list(offset, limit).transactions.map(({ hash }) => hash);
    expect(hashes(0, 10)).toEqual(entries.map(({ hash }) => hash));
    expect(hashes(1, 2)).toEqual(entries.slice(1, 3).map(({ hash }) => hash));
    expect(hashes(4, 10)).toEqual([]);
    expect(hashes(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    pool.take(1);
    expect(handler.list(0, 1)).toMatchObject({ waiting: 3, inFlight: 1 });
  });
});

describe("transactions behind a nonce gap", () => {
  test("are distinguished from executable ones", () => {
    const { pool, handler } = world();
    for (const [sender, nonce] of [
      [1n, 0n],
      [1n, 1n],
      [1n, 3n],
      [2n, 5n],
    ] as const) {
      pool.add(mempoolEntry({ sender, nonce, maxFee: 9n }), 0n);
    }
    const { waiting, ahead, transactions } = handler.list(0, 10);
    expect([waiting, ahead]).toEqual([4, 2]);
    expect(transactions.map(({ isReady }) => isReady)).toEqual([true, true, false, false]);
    expect(transactions[0]?.maxFee).toBe(9n);
  });

  test("are recounted only after an interval, however often they are listed", () => {
    let nowMs = 1_000;
    const { pool, handler } = world(
      () => true,
      MEMPOOL_LIMITS,
      () => nowMs,
    );
    pool.add(mempoolEntry({ sender: 1n, nonce: 1n }), 0n);
    expect(handler.list(0, 0).ahead).toBe(1);
    pool.add(mempoolEntry({ sender: 2n, nonce: 1n }), 0n);
    nowMs += 99;
    expect(handler.list(0, 0)).toMatchObject({ waiting: 2, ahead: 1 });
    nowMs++;
    expect(handler.list(0, 0).ahead).toBe(2);
  });
});

describe("a transaction dropped by the operator", () => {
  test("is removed permanently, with a reason for its sender", async () => {
    const { pool, store, handler, departures } = world();
    const entry = mempoolEntry({ sender: 1n, nonce: 0n });
    pool.add(entry, 0n);
    store.put([entry]);
    expect(await handler.drop(entry.hash)).toBe("dropped");
    expect([pool.size, store.loadAll()]).toEqual([0, []]);
    expect(store.rejectionOf(entry.hash)?.reason).toContain("operator");
    expect(departures).toMatchObject([{ hash: entry.hash, code: "DROPPED", rejectedAtMs: 77 }]);
    expect(await handler.drop(entry.hash)).toBe("unknown");
  });

  test("leaves its account's later ones pending until its nonce is filled again", async () => {
    const { pool, handler } = world();
    const [first, second] = [0n, 1n].map((nonce) => mempoolEntry({ sender: 1n, nonce }));
    for (const entry of [first, second]) if (entry !== undefined) pool.add(entry, 0n);
    await handler.drop(first?.hash ?? 0n);
    expect([pool.size, pool.take(10)]).toEqual([1, []]);
    const again = mempoolEntry({ sender: 1n, nonce: 0n });
    expect(pool.add(again, 0n).kind).toBe("added");
    expect(pool.take(10).map(({ hash }) => hash)).toEqual([again.hash, second?.hash ?? 0n]);
  });

  test("stays while it is in flight", async () => {
    const { pool, handler } = world();
    const entry = mempoolEntry({ sender: 1n, nonce: 0n });
    pool.add(entry, 0n);
    pool.take(1);
    expect(await handler.drop(entry.hash)).toBe("in_flight");
    pool.requeue([entry.hash]);
    expect(await handler.drop(entry.hash)).toBe("dropped");
  });

  test("is not removed from the mempool while it is in flight", () => {
    const { pool } = world();
    const entry = mempoolEntry({ sender: 1n, nonce: 0n });
    pool.add(entry, 0n);
    pool.take(1);
    expect(pool.drop(entry.hash)).toBeUndefined();
    expect(pool.settleIncluded(entry.hash)).toBe(entry);
  });

  test("is unknown until it is durable", async () => {
    const { pool, handler } = world(() => false);
    const entry = mempoolEntry({ sender: 1n, nonce: 0n });
    pool.add(entry, 0n);
    expect(await handler.drop(entry.hash)).toBe("unknown");
    expect(pool.size).toBe(1);
  });
});

describe("a flush", () => {
  /** Three accounts with nonces 0 to 3 each; the first of account 1 is being executed. */
  function filled() {
    const made = world();
    const entries = [1n, 2n, 3n].flatMap((sender) =>
      [0n, 1n, 2n, 3n].map((nonce) => mempoolEntry({ sender, nonce })),
    );
    for (const entry of entries) made.pool.add(entry, 0n);
    made.store.put(entries);
    made.pool.take(1);
    return { ...made, entries };
  }

  test.each([
    ["everything", {}, 11, 1],
    ["all of an account", { sender: 2n }, 4, 0],
    ["all of an account with one in flight", { sender: 1n }, 3, 1],
    ["nonces above one", { nonceAfter: 1n }, 6, 0],
    ["nonces below one", { nonceBefore: 1n }, 2, 1],
    ["nonces between two", { sender: 3n, nonceAfter: 0n, nonceBefore: 3n }, 2, 0],
    ["none for an unknown account", { sender: 9n }, 0, 0],
  ])("drops %s durably and returns the counts", async (_, selection, dropped, inFlight) => {
    const { pool, store, handler, departures } = filled();
    expect(await handler.flush(selection)).toEqual({ dropped, inFlight });
    expect([pool.size, pool.inFlightSize]).toEqual([11 - dropped, 1]);
    expect(store.loadAll()).toHaveLength(12 - dropped);
    expect(departures.map(({ code }) => code)).toEqual(Array(dropped).fill("DROPPED"));
    for (const { hash } of departures) expect(store.rejectionOf(hash)).toBeDefined();
    expect(await handler.flush(selection)).toEqual({ dropped: 0, inFlight });
  });

  test("drops selected hashes, whatever else is pending", async () => {
    const { handler, entries, pool } = filled();
    const [inFlight, ...rest] = entries.map(({ hash }) => hash);
    const hashes = [inFlight, rest[0], rest[8], 0xdeadn].map((hash) => hash ?? 0n);
    expect(await handler.flush({ hashes })).toEqual({ dropped: 2, inFlight: 1 });
    expect(pool.size).toBe(9);
    expect(handler.list(0, 10, { sender: 2n }).transactions).toHaveLength(4);
    expect(handler.list(1, 2, { sender: 2n }).transactions.map(({ nonce }) => nonce)).toEqual([
      1n,
      2n,
    ]);
  });

  test("in several steps keeps new arrivals and yields between the steps", async () => {
    const { pool, handler } = world(() => true, WIDE_LIMITS);
    const entries = Array.from({ length: FLUSH_STEP + 5 }, (_, i) =>
      mempoolEntry({ sender: BigInt(i + 1), nonce: 0n }),
    );
    for (const entry of entries) pool.add(entry, 0n);
    const flushing = handler.flush({});
    const late = mempoolEntry({ sender: 1n, nonce: 0n });
    pool.add(late, 0n);
    // The executor takes two entries that the second step would drop.
    const taken = pool.take(3).filter(({ hash }) => hash !== late.hash);
    expect(await flushing).toEqual({
      dropped: entries.length - taken.length,
      inFlight: taken.length,
    });
    expect(taken.length).toBeGreaterThan(0);
    expect(pool.size + pool.inFlightSize).toBe(1 + taken.length);
  });

  test("keeps transactions that are not durable", async () => {
    const { pool, handler } = world(() => false);
    pool.add(mempoolEntry({ sender: 1n, nonce: 0n }), 0n);
    expect(await handler.flush({})).toEqual({ dropped: 0, inFlight: 0 });
    expect(pool.size).toBe(1);
  });
});

test("admission answers operator requests", async () => {
  const entry = mempoolEntry({ sender: 1n, nonce: 7n });
  const { main } = await admissionWorld({}, []);
  const position = positionAt(5);
  main.tell({ kind: "list", id: 1, offset: 0, limit: 10, selection: {}, position });
  main.tell({ kind: "drop", id: 2, hash: entry.hash, position });
  main.tell({ kind: "flush", id: 3, selection: {}, position });
  await settle();
  const answers = main.sent as readonly AdmissionReply[];
  expect(answers).toContainEqual(
    expect.objectContaining({
      kind: "listed",
      id: 1,
      listing: { waiting: 0, ahead: 0, inFlight: 0, transactions: [] },
    }),
  );
  expect(answers).toContainEqual(
    expect.objectContaining({ kind: "dropped", id: 2, outcome: "unknown" }),
  );
  expect(answers).toContainEqual(
    expect.objectContaining({ kind: "flushed", id: 3, outcome: { dropped: 0, inFlight: 0 } }),
  );
});
