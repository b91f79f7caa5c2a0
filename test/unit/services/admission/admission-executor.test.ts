import { describe, expect, test } from "bun:test";
import { encodeTransaction } from "#protocol/chain/index.ts";
import { POSITION_TIMEOUT_MS } from "#services/admission/position-gate.ts";
import { encodePendingDelta, positionAt } from "#engine/state/index.ts";
import { admissionWorld, LATEST, settle } from "#test/helpers/admission-world.ts";
import { memoryMempoolStore } from "#test/helpers/memory-mempool-store.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { delta } from "#test/helpers/pending-deltas.ts";

type World = Awaited<ReturnType<typeof admissionWorld>>;

const FIRST = emptyInvoke(1n, 0n);

/** Hash of an accepted submission. */
function hashOf(world: World, id: number): bigint {
  const outcome = world.outcome(id);
  return outcome?.kind === "accepted" ? outcome.transactionHash : -1n;
}

/** First delta of the block after the newest. */
const DELTA = encodePendingDelta(delta(LATEST + 1, 0, []));

const kindsOf = (world: World) => world.main.sent.map(({ kind }) => kind);

const sentToExecutor = (world: World) => world.executor.sent.map(({ kind }) => kind);

describe("the executor", () => {
  test("gets only durable transactions and is woken once when one is available", async () => {
    const world = await admissionWorld();
    world.store.holdSyncs = true;
    await world.submit(1, FIRST);
    world.executor.tell({ kind: "take", max: 9 });
    expect(world.executor.sent).toMatchObject([{ kind: "batch", count: 0, coming: 1 }]);
    world.store.syncs[0]?.resolve();
    await settle();
    expect(sentToExecutor(world)).toEqual(["batch", "wake"]);
    expect(world.executor.sent[1]).toEqual({ kind: "wake", coming: 0 });
    world.store.holdSyncs = false;
    await world.submit(2, emptyInvoke(2n, 0n));
    expect(sentToExecutor(world)).toEqual(["batch", "wake"]);
    world.executor.tell({ kind: "take", max: 1 });
    expect(world.executor.sent.at(-1)).toMatchObject({ kind: "batch", count: 1 });
  });

  test("is not woken after a batch with transactions", async () => {
    const world = await admissionWorld();
    await world.submit(1, FIRST);
    world.executor.tell({ kind: "take", max: 9 });
    await world.submit(2, emptyInvoke(2n, 0n));
    expect(sentToExecutor(world)).toEqual(["batch"]);
  });

  test("gets returned transactions again", async () => {
    const world = await admissionWorld();
    await world.submit(1, FIRST);
    const settled = { kind: "settled", delta: null, included: [], rejected: [] } as const;
    world.executor.tell({ kind: "take", max: 9 });
    world.executor.tell({ kind: "take", max: 9 });
    world.executor.tell({ ...settled, requeued: [hashOf(world, 1)] });
    world.executor.tell({ kind: "take", max: 9 });
    const batches = world.executor.sent.filter(({ kind }) => kind === "batch");
    expect(batches).toMatchObject([{ count: 1 }, { count: 0 }, { count: 1 }]);
  });

  test("is woken by its own returned transactions after an empty batch", async () => {
    const world = await admissionWorld();
    await world.submit(1, FIRST);
    const settled = { kind: "settled", delta: null, included: [], rejected: [] } as const;
    world.executor.tell({ kind: "take", max: 9 });
    world.executor.tell({ kind: "take", max: 9 });
    world.executor.tell({ ...settled, requeued: [] });
    expect(sentToExecutor(world)).toEqual(["batch", "batch"]);
    world.executor.tell({ ...settled, requeued: [hashOf(world, 1)] });
    expect(sentToExecutor(world)).toEqual(["batch", "batch", "wake"]);
  });

  test("advances the pending state by its deltas", async () => {
    const world = await admissionWorld();
    const message = { blockNumber: LATEST + 1, sequence: 4, bytes: new Uint8Array() };
    world.executor.tell({
      kind: "settled",
      delta: { ...message, kind: "delta" },
      included: [],
      rejected: [],
      requeued: [],
    });
    expect(world.feed.position).toEqual({
      accepted: LATEST,
      blockNumber: LATEST + 1,
      sequence: 4,
      generation: 0,
    });
  });

  test("reports its rejections to the main thread and on request", async () => {
    const world = await admissionWorld();
    await world.submit(1, FIRST);
    const hash = hashOf(world, 1);
    world.executor.tell({ kind: "take", max: 9 });
    const rejection = { hash, code: "INSUFFICIENT_BALANCE", reason: "no balance" } as const;
    world.executor.tell({
      kind: "settled",
      delta: null,
      included: [],
      rejected: [rejection],
      requeued: [],
    });
    expect(world.replies().at(-1)).toEqual({
      kind: "rejected",
      rejections: [{ ...rejection, sender: 1n }],
    });
    world.ask({ kind: "rejection", id: 8, hash });
    expect(world.replies().at(-1)).toEqual({ kind: "rejectionFound", id: 8, reason: "no balance" });
    world.ask({ kind: "rejection", id: 9, hash: 77n });
    expect(world.replies().at(-1)).toEqual({ kind: "rejectionFound", id: 9, reason: null });
  });
});

test("an in-flight transaction is found as in flight", async () => {
  const world = await admissionWorld();
  await world.submit(1, FIRST);
  const hash = hashOf(world, 1);
  const found = (id: number) => {
    world.ask({ kind: "find", id, hash });
    return world.replies().at(-1);
  };
  expect(found(1)).toMatchObject({ kind: "found", isInFlight: false, isAhead: false });
  world.executor.tell({ kind: "take", max: 9 });
  expect(found(2)).toMatchObject({ kind: "found", isInFlight: true });
});

test("a block's transactions leave the store on acceptance, and the mempool size is reported", async () => {
  const world = await admissionWorld();
  await world.submit(1, FIRST);
  world.executor.tell({ kind: "take", max: 9 });
  world.executor.tell({
    kind: "settled",
    delta: { kind: "delta", blockNumber: LATEST + 1, sequence: 0, bytes: DELTA },
    included: [hashOf(world, 1)],
    rejected: [],
    requeued: [],
  });
  expect(world.store.loadAll()).toHaveLength(1);
  world.committer.tell({ blockNumber: LATEST + 1 });
  expect(world.store.loadAll()).toEqual([]);
  expect(world.feed.position.accepted).toBe(LATEST + 1);
  expect(world.replies().at(-1)).toEqual({ kind: "mempoolSize", waiting: 0 });
});

test("a transaction is found only once it is durable", async () => {
  const world = await admissionWorld();
  await world.submit(1, FIRST);
  world.store.holdSyncs = true;
  const second = emptyInvoke(2n, 0n);
  await world.submit(2, second);
  const hash = world.validated[1] ?? -1n;
  const find = (id: number) => {
    world.ask({ kind: "find", id, hash });
    return world.replies().at(-1);
  };
  expect(find(5)).toEqual({ kind: "found", id: 5, bytes: null, isInFlight: false, isAhead: false });
  world.store.syncs[0]?.resolve();
  await settle();
  const bytes = encodeTransaction({ hash, transaction: second });
  expect(find(6)).toEqual({ kind: "found", id: 6, bytes, isInFlight: false, isAhead: false });
  world.ask({ kind: "find", id: 7, hash: 77n });
  expect(world.replies().at(-1)).toEqual({
    kind: "found",
    id: 7,
    bytes: null,
    isInFlight: false,
    isAhead: false,
  });
});

test("a transaction behind a nonce gap is found as ahead", async () => {
  const world = await admissionWorld();
  const stateOf = (index: number) => {
    world.ask({ kind: "find", id: 9, hash: world.validated[index] ?? -1n });
    const reply = world.replies().at(-1);
    return reply?.kind === "found" && [reply.bytes !== null, reply.isInFlight, reply.isAhead];
  };
  await world.submit(1, emptyInvoke(1n, 2n));
  expect(stateOf(0)).toEqual([true, false, true]);
  await world.submit(2, emptyInvoke(1n, 0n));
  expect(stateOf(0)).toEqual([true, false, true]);
  await world.submit(3, emptyInvoke(1n, 1n));
  expect([0, 1, 2].map(stateOf)).toEqual(Array(3).fill([true, false, false]));
  world.executor.tell({ kind: "take", max: 2 });
  expect([0, 1, 2].map(stateOf)).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, false],
  ]);
  const hashes = [world.validated[1] ?? 0n, world.validated[2] ?? 0n];
  const rejected = [{ hash: hashes[0] ?? 0n, code: "OUT_OF_MEMORY", reason: "large" } as const];
  const requeued = hashes.slice(1);
  world.executor.tell({ kind: "settled", delta: null, included: [], rejected, requeued });
  expect([0, 1, 2].map(stateOf)).toEqual([
    [true, false, true],
    [false, false, false],
    [true, false, true],
  ]);
});

describe("a request from a later position", () => {
  const ahead = { accepted: LATEST + 1, blockNumber: LATEST + 1, sequence: 0, generation: 0 };

  test("is answered once the service has reached that position", async () => {
    const world = await admissionWorld();
    world.main.tell({ kind: "rejection", id: 1, hash: 1n, position: ahead });
    await settle();
    expect(world.main.sent).toEqual([]);
    world.committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect(world.replies().at(-1)).toEqual({ kind: "rejectionFound", id: 1, reason: null });
  });

  test("is answered after a timeout", async () => {
    const world = await admissionWorld();
    world.main.tell({ kind: "rejection", id: 1, hash: 1n, position: ahead });
    world.timer.advance(POSITION_TIMEOUT_MS - 1);
    await settle();
    expect(world.main.sent).toEqual([]);
    world.timer.advance(1);
    await settle();
    expect(kindsOf(world)).toEqual(["rejectionFound"]);
  });
});

test("watchers are notified of each transaction that is sent to the executor, after its reception", async () => {
  const world = await admissionWorld();
  await world.submit(1, FIRST);
  world.executor.tell({ kind: "take", max: 9 });
  expect(kindsOf(world)).not.toContain("dispatched");
  world.main.tell({ kind: "watch", id: 2, isWanted: true, position: positionAt(LATEST) });
  await world.submit(3, emptyInvoke(2n, 0n));
  world.executor.tell({ kind: "take", max: 9 });
  const hash = hashOf(world, 3);
  const bytes = encodeTransaction({ hash, transaction: emptyInvoke(2n, 0n) });
  const kinds = kindsOf(world);
  expect(kinds.lastIndexOf("submitted")).toBeLessThan(kinds.indexOf("dispatched"));
  expect(world.main.sent.at(-1)).toMatchObject({
    kind: "dispatched",
    transactions: [{ hash, bytes, isAgain: false }],
  });
});

test("the executor first gets L1 messages suspected of a crash, until they are in a block", async () => {
  const store = memoryMempoolStore();
  const suspect = { hash: 0x900n, crashes: 1, reason: null };
  store.write({ suspectMessages: [suspect] });
  const world = await admissionWorld({ store });
  world.executor.tell({ kind: "take", max: 9 });
  expect(world.executor.sent).toMatchObject([
    { kind: "suspects", messages: [suspect], isCareful: false },
    { kind: "batch", count: 0 },
  ]);
  const settled = { kind: "settled", delta: null, rejected: [], requeued: [] } as const;
  world.executor.tell({ ...settled, included: [0x901n] });
  expect(store.suspectMessages()).toEqual([suspect]);
  world.executor.tell({ ...settled, included: [0x900n] });
  expect(store.suspectMessages()).toEqual([]);
});
