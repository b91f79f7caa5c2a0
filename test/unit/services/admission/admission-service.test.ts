import { describe, expect, test } from "bun:test";
import { encodeTransaction, senderAddressOf, transactionHash } from "#protocol/chain/index.ts";
import { EXPIRY_INTERVAL_MS } from "#services/admission/admission-service.ts";
import { decodeBatch, encodeBatch } from "#services/admission/batch-codec.ts";
import { admissionWorld, CHAIN_ID, LATEST, settle, VALID } from "#test/helpers/admission-world.ts";
import {
  emptyDeployAccount,
  emptyInvoke,
  storedRow,
  WIDE_LIMITS,
} from "#test/helpers/mempool-world.ts";

type World = Awaited<ReturnType<typeof admissionWorld>>;

const FIRST = emptyInvoke(1n, 0n);

/** Hash of an accepted submission. */
function hashOf(world: World, id: number): bigint {
  const outcome = world.outcome(id);
  return outcome?.kind === "accepted" ? outcome.transactionHash : -1n;
}

const kindsOf = (world: World) => world.main.sent.map(({ kind }) => kind);

describe("a submission", () => {
  test("is answered once it is durable; its validation is reported immediately, with the cost", async () => {
    const world = await admissionWorld({
      validate: () => {
        world.timer.advance(7);
        return VALID;
      },
    });
    world.store.holdSyncs = true;
    await world.submit(3, FIRST);
    expect(world.replies()).toEqual([{ kind: "validated", id: 3, costMs: 7 }]);
    expect(world.store.loadAll()).toHaveLength(1);
    world.store.syncs[0]?.resolve();
    await settle();
    expect(kindsOf(world)).toEqual(["validated", "submitted", "mempoolSize"]);
    expect(world.outcome(3)?.kind).toBe("accepted");
    expect(world.replies().at(-1)).toEqual({ kind: "mempoolSize", waiting: 1 });
  });

  test("is answered immediately when it is rejected, and not stored", async () => {
    const world = await admissionWorld();
    world.store.holdSyncs = true;
    await world.submit(3, { ...FIRST, paymasterData: [1n] });
    expect(kindsOf(world)).toEqual(["validated", "submitted"]);
    expect(world.outcome(3)).toMatchObject({ kind: "rejected", code: "UNEXPECTED_ERROR" });
    expect([world.store.loadAll(), world.store.syncs, world.validated]).toEqual([[], [], []]);
  });

  test("is answered with the service's position", async () => {
    const world = await admissionWorld();
    world.committer.tell({ blockNumber: LATEST + 1 });
    await world.submit(3, FIRST);
    expect(new Set(world.main.sent.map(({ position }) => position.accepted))).toEqual(
      new Set([LATEST + 1]),
    );
  });

  test("of a deployed account names the contract", async () => {
    const world = await admissionWorld();
    await world.submit(1, emptyDeployAccount(9n));
    expect(world.outcome(1)).toMatchObject({ kind: "accepted", contractAddress: 9n });
  });

  test("reports a replaced transaction, with sender, code and reason", async () => {
    const world = await admissionWorld();
    await world.submit(1, FIRST);
    await world.submit(2, emptyInvoke(1n, 0n, 50n));
    const rejected = world.replies().find(({ kind }) => kind === "rejected");
    expect(rejected).toEqual({
      kind: "rejected",
      rejections: [
        {
          hash: hashOf(world, 1),
          sender: 1n,
          code: "REPLACED",
          reason: expect.stringContaining("was replaced"),
        },
      ],
    });
    expect(world.store.loadAll().map(({ hash }) => hash)).toEqual([hashOf(world, 2)]);
  });

  test("stops the service without an answer if its validation throws", async () => {
    const world = await admissionWorld({
      validate() {
        throw new RangeError("the machine is broken");
      },
    });
    await world.submit(1, FIRST);
    await world.submit(2, emptyInvoke(2n, 0n));
    expect(world.failures.map(String)).toContain("RangeError: the machine is broken");
    expect(world.main.sent).toEqual([]);
  });

  test("stops the service without an answer if the disk fails", async () => {
    const world = await admissionWorld();
    world.store.holdSyncs = true;
    await world.submit(1, FIRST);
    world.store.syncs[0]?.reject(new RangeError("the disk is full"));
    await settle();
    expect(world.failures.map(String)).toEqual(["RangeError: the disk is full"]);
    expect(kindsOf(world)).toEqual(["validated"]);
  });
});

describe("a validation above its local time limit", () => {
  test.each([true, false])(
    "is returned to the main thread, with whether its sender will be deployed: %p",
    async (toBe) => {
      const world = await admissionWorld({
        maxNonceForValidationSkip: 1,
        validate: ({ transaction }) =>
          transaction.type === "INVOKE" ? { kind: "cancelled" } : VALID,
      });
      if (toBe) await world.submit(1, emptyDeployAccount(1n));
      world.main.sent.length = 0;
      const transaction = emptyInvoke(1n, toBe ? 1n : 0n);
      await world.submit(2, transaction);
      const hashed = { hash: transactionHash(transaction, CHAIN_ID), transaction };
      expect(world.replies()).toEqual([
        { kind: "validated", id: 2, costMs: 0 },
        { kind: "slow", id: 2, bytes: encodeTransaction(hashed), isSenderUndeployed: toBe },
      ]);
      expect(world.store.loadAll()).toHaveLength(toBe ? 1 : 0);
    },
  );

  const bytes = encodeTransaction({ hash: 0n, transaction: FIRST });

  test.each([
    [16_384, true],
    [16_385, false],
  ])(
    "is not repeated; %p bytes of its result are forwarded to the executor: %p",
    async (size, goes) => {
      const world = await admissionWorld();
      const prevalidated = new Uint8Array(size).fill(7);
      world.ask({ kind: "submit", id: 1, bytes, validation: { prevalidated } });
      await settle();
      expect([world.outcome(1)?.kind, world.validated]).toEqual(["accepted", []]);
      world.executor.tell({ kind: "take", max: 9 });
      const transaction = encodeTransaction({ hash: hashOf(world, 1), transaction: FIRST });
      expect(world.executor.sent).toEqual([
        {
          kind: "batch",
          count: 1,
          coming: 0,
          attempt: 1,
          bytes: encodeBatch([{ transaction, prevalidated: goes ? prevalidated : undefined }]),
        },
      ]);
    },
  );

  test("may have no result to reuse", async () => {
    const world = await admissionWorld();
    world.ask({ kind: "submit", id: 1, bytes, validation: { prevalidated: null } });
    await settle();
    world.executor.tell({ kind: "take", max: 9 });
    const transaction = encodeTransaction({ hash: hashOf(world, 1), transaction: FIRST });
    expect(world.executor.sent[0]).toMatchObject({
      bytes: encodeBatch([{ transaction, prevalidated: undefined }]),
    });
  });
});

describe("an expired transaction", () => {
  test("is found every five seconds, dropped and reported", async () => {
    const world = await admissionWorld({ mempoolLimits: { ...WIDE_LIMITS, ttlMs: 50 } });
    await world.submit(1, FIRST);
    const before = world.main.sent.length;
    world.timer.advance(EXPIRY_INTERVAL_MS);
    expect(world.main.sent).toHaveLength(before);
    world.clock.nowMs += 51;
    world.timer.advance(4_999);
    expect(world.main.sent).toHaveLength(before);
    world.timer.advance(1);
    expect(world.replies().slice(before)).toMatchObject([
      { kind: "rejected", rejections: [{ hash: hashOf(world, 1), code: "EXPIRED" }] },
      { kind: "mempoolSize", waiting: 0 },
    ]);
    expect(EXPIRY_INTERVAL_MS).toBe(5_000);
  });
});

describe("stopping", () => {
  test("flushes and answers accepted submissions and drops the others", async () => {
    const world = await admissionWorld();
    world.store.holdSyncs = true;
    await world.submit(1, FIRST);
    world.ask({
      kind: "submit",
      id: 2,
      bytes: encodeTransaction({ hash: 0n, transaction: emptyInvoke(2n, 0n) }),
    });
    const stopped = world.service.stop();
    world.store.syncs[0]?.resolve();
    await stopped;
    await settle();
    expect([world.outcome(1)?.kind, world.outcome(2)]).toEqual(["accepted", undefined]);
    expect(world.store.loadAll()).toHaveLength(1);
    expect(world.timer.alarms).toBe(0);
  });

  test("waits for the disk", async () => {
    const world = await admissionWorld();
    world.store.holdSyncs = true;
    await world.submit(1, FIRST);
    let isStopped = false;
    const stopped = world.service.stop().then(() => (isStopped = true));
    await settle();
    expect(isStopped).toBe(false);
    world.store.syncs[0]?.resolve();
    await stopped;
  });
});

test("stored transactions are restored before any port is read", async () => {
  const world = await admissionWorld({}, [storedRow(7n, FIRST)]);
  expect(world.heardAtReload).toEqual(Array.from({ length: 6 }, () => false));
  world.ask({ kind: "find", id: 1, hash: 7n });
  expect(world.replies()).toMatchObject([{ kind: "found", id: 1, bytes: expect.any(Uint8Array) }]);
  world.executor.tell({ kind: "take", max: 9 });
  expect(world.executor.sent).toMatchObject([{ count: 1 }]);
});

test("the executor first gets transactions of the senders that it prefers", async () => {
  const world = await admissionWorld();
  for (const sender of [1n, 2n]) await world.submit(Number(sender), emptyInvoke(sender, 0n));
  const levels = new Map([[1n, 1]]);
  const precedence = { levels, isTurnOfOthers: false, holdsBackLarge: false };
  world.executor.tell({ kind: "take", max: 9, precedence });
  const [batch] = world.executor.sent.filter(({ kind }) => kind === "batch");
  const candidates = batch?.kind === "batch" ? decodeBatch(batch.bytes) : [];
  const senders = candidates.map(({ transaction }) => senderAddressOf(transaction.transaction));
  expect(senders).toEqual([2n]);
});
