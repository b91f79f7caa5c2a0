import { expect, test } from "bun:test";
import { admissionWorld, settle } from "#test/helpers/admission-world.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const FIRST = emptyInvoke(1n, 0n);

/** Service that executes transactions before their flush; the test controls the flush. */
async function aheadWorld() {
  const world = await admissionWorld({ executesBeforeSync: true });
  world.store.holdSyncs = true;
  const told = () =>
    world.main.sent
      .map(({ kind }) => kind)
      .filter((kind) => ["submitted", "dispatched", "rejected"].includes(kind));
  return { ...world, told };
}

test("the executor gets written transactions before the flush; the answer waits for the flush", async () => {
  const world = await aheadWorld();
  world.executor.tell({ kind: "take", max: 9 });
  await world.submit(1, FIRST);
  expect(world.executor.sent.at(-1)).toEqual({ kind: "wake", coming: 0 });
  world.executor.tell({ kind: "take", max: 9 });
  expect(world.executor.sent.at(-1)).toMatchObject({ kind: "batch", count: 1, coming: 0 });
  expect(world.outcome(1)).toBeUndefined();
  world.store.syncs[0]?.resolve();
  await settle();
  expect(world.outcome(1)?.kind).toBe("accepted");
});

test("the executor gets only durable transactions while there is a watcher", async () => {
  const world = await aheadWorld();
  world.ask({ kind: "watch", id: 5, isWanted: true });
  await world.submit(1, FIRST);
  world.executor.tell({ kind: "take", max: 9 });
  expect(world.executor.sent).toMatchObject([{ kind: "batch", count: 0, coming: 1 }]);
  world.store.syncs[0]?.resolve();
  await settle();
  world.executor.tell({ kind: "take", max: 9 });
  expect(world.told()).toEqual(["submitted", "dispatched"]);
});

test("a rejection before the flush is reported and answered", async () => {
  const world = await aheadWorld();
  await world.submit(1, FIRST);
  world.executor.tell({ kind: "take", max: 9 });
  const { hash } = world.store.loadAll()[0] ?? { hash: 0n };
  const rejection = { hash, code: "INSUFFICIENT_BALANCE", reason: "no balance" } as const;
  const settled = { delta: null, included: [], requeued: [] };
  world.executor.tell({ ...settled, kind: "settled", rejected: [rejection] });
  world.store.syncs[0]?.resolve();
  await settle();
  expect(world.told()).toEqual(["rejected", "submitted"]);
  world.ask({ kind: "rejection", id: 8, hash });
  expect(world.replies().at(-1)).toEqual({ kind: "rejectionFound", id: 8, reason: "no balance" });
});
