import { describe, expect, test } from "bun:test";
import {
  type AccountTransaction,
  type ClassContents,
  encodedTransaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import { positionAt } from "#engine/state/index.ts";
import { decodeBatch } from "#services/admission/batch-codec.ts";
import { admissionWorld, CHAIN_ID, LATEST, settle } from "#test/helpers/admission-world.ts";
import { emptyDeclare, emptyInvoke, storedRow, WIDE_LIMITS } from "#test/helpers/mempool-world.ts";

type World = Awaited<ReturnType<typeof admissionWorld>>;

const DECLARE = emptyDeclare(1n, 0n);
const DECLARED: ClassContents = { contractClass: new Uint8Array(50).fill(7), casmJson: '{"a":1}' };

/** Transaction that another thread has hashed. */
function hashed(transaction: AccountTransaction) {
  return encodedTransaction({ hash: transactionHash(transaction, CHAIN_ID), transaction });
}

/** Submits a declaration with compiled code. */
async function submit(world: World, id: number, declared?: ClassContents): Promise<void> {
  const validation = { prevalidated: null };
  const { bytes } = hashed(DECLARE);
  world.ask({
    kind: "submit",
    id,
    bytes,
    validation,
    ...(declared === undefined ? {} : { declared }),
  });
  await settle();
}

/** Verdict of admission on a declaration that is not compiled yet. */
function judge(world: World, transaction: AccountTransaction, classSizeBytes = 50) {
  const { bytes } = hashed(transaction);
  world.ask({ kind: "mayDeclare", id: 3, bytes, classSizeBytes });
  return world.replies().at(-1);
}

/** Classes in the executor's newest batch, in order. */
function handedClasses(world: World) {
  world.executor.tell({ kind: "take", max: 9 });
  const batch = world.executor.sent.at(-1);
  const candidates = decodeBatch(batch?.kind === "batch" ? batch.bytes : new Uint8Array());
  return candidates.map(({ declared }) => declared);
}

const CARRIED = { classHash: DECLARE.classHash, ...DECLARED };

describe("a compiled declaration", () => {
  test("is stored with its class, and the response contains the class hash", async () => {
    const world = await admissionWorld();
    await submit(world, 3, DECLARED);
    const { hash, bytes } = hashed(DECLARE);
    expect(world.outcome(3)).toEqual({
      kind: "accepted",
      transactionHash: hash,
      classHash: DECLARE.classHash,
    });
    expect(world.store.loadAll()).toMatchObject([{ hash, bytes, classSizeBytes: 50 }]);
    expect([world.store.declaredClass(hash), world.validated]).toEqual([DECLARED, []]);
  });

  test("is sent to the executor with its class only once it is durable", async () => {
    const world = await admissionWorld();
    world.store.holdSyncs = true;
    await submit(world, 3, DECLARED);
    expect(handedClasses(world)).toEqual([]);
    world.store.syncs[0]?.resolve();
    await settle();
    expect(handedClasses(world)).toEqual([CARRIED]);
  });

  test("is sent with its class again after the executor returned it", async () => {
    const world = await admissionWorld();
    await submit(world, 3, DECLARED);
    expect(handedClasses(world)).toEqual([CARRIED]);
    world.executor.tell({
      kind: "settled",
      delta: null,
      included: [],
      rejected: [],
      requeued: [hashed(DECLARE).hash],
    });
    expect(handedClasses(world)).toEqual([CARRIED]);
  });

  test("still has its class after a restart", async () => {
    const { hash } = hashed(DECLARE);
    const row = { ...storedRow(hash, DECLARE), declared: DECLARED };
    const world = await admissionWorld({}, [storedRow(9n, emptyInvoke(2n, 0n)), row]);
    expect(handedClasses(world)).toEqual([undefined, CARRIED]);
  });

  test("is rejected and not stored if it lacks its class", async () => {
    const world = await admissionWorld();
    await submit(world, 3);
    await world.submit(4, DECLARE);
    for (const id of [3, 4]) {
      expect(world.outcome(id)).toEqual({
        kind: "rejected",
        code: "UNEXPECTED_ERROR",
        reason: "a declaration must include its class",
      });
    }
    expect([world.store.loadAll(), world.validated]).toEqual([[], []]);
  });
});

describe("a mayDeclare request", () => {
  test("returns no refusal and neither validates nor stores the declaration", async () => {
    const world = await admissionWorld();
    expect(judge(world, DECLARE)).toEqual({ kind: "declareJudged", id: 3, refusal: null });
    expect([world.store.loadAll(), world.validated, world.main.sent.length]).toEqual([[], [], 1]);
  });

  test.each([
    ["its fields", { ...DECLARE, tip: 0n, paymasterData: [1n] }, "UNEXPECTED_ERROR"],
    ["its nonce", emptyDeclare(1n, 1n), "INVALID_TRANSACTION_NONCE"],
  ] as const)("returns a refusal caused by %s", async (_, transaction, code) => {
    const world = await admissionWorld();
    expect(judge(world, transaction)).toMatchObject({
      kind: "declareJudged",
      id: 3,
      refusal: { kind: "rejected", code },
    });
  });

  test("returns a refusal caused by a transaction in the mempool", async () => {
    const world = await admissionWorld();
    await submit(world, 1, DECLARED);
    expect(judge(world, DECLARE)).toMatchObject({ refusal: { code: "DUPLICATE_TX" } });
    expect(judge(world, { ...DECLARE, compiledClassHash: 9n })).toMatchObject({
      refusal: { code: "REPLACEMENT_TRANSACTION_UNDERPRICED" },
    });
    expect(judge(world, emptyDeclare(1n, 1n))).toMatchObject({ refusal: null });
  });

  test("returns a refusal for a declaration that is in a block", async () => {
    const world = await admissionWorld({
      chain: { locate: () => ({ blockNumber: 4, index: 0 }) },
    });
    expect(judge(world, DECLARE)).toMatchObject({
      refusal: { code: "DUPLICATE_TX", reason: "the transaction is already in block 4" },
    });
  });

  test("counts the size of the class", async () => {
    const { length } = hashed(DECLARE).bytes;
    const mempoolLimits = { ...WIDE_LIMITS, maxBytesPerAccount: length + 50 };
    const world = await admissionWorld({ mempoolLimits });
    expect(judge(world, DECLARE, 50)).toMatchObject({ refusal: null });
    expect(judge(world, DECLARE, 51)).toMatchObject({ refusal: { code: "UNEXPECTED_ERROR" } });
  });

  test("waits until the service has reached the requester's position", async () => {
    const world = await admissionWorld();
    const { bytes } = hashed(DECLARE);
    world.main.tell({
      kind: "mayDeclare",
      id: 3,
      bytes,
      classSizeBytes: 50,
      position: positionAt(LATEST + 1),
    });
    await settle();
    expect(world.main.sent).toEqual([]);
    world.committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect(world.replies().find(({ kind }) => kind === "declareJudged")).toMatchObject({ id: 3 });
  });
});
