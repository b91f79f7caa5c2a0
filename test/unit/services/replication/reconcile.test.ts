import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blockKey } from "#services/replication/index.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import {
  type Block,
  chainOf,
  commitOf,
  FOLLOWS,
  LEADS,
  reconcileWorld,
} from "#test/helpers/reconcile-world.ts";
import { assertProperty } from "#test/helpers/property.ts";

const keysTo = (newest: number) => Array.from({ length: newest + 1 }, (_, n) => blockKey(n));

describe("a sequencer that starts to lead", () => {
  test("finds its newest block published with a single read", async () => {
    const { run, objects, events } = reconcileWorld(chainOf(40), chainOf(40));
    expect(await run(LEADS)).toEqual({ storedBlock: 39, publishedBlock: 39, epoch: 0 });
    expect(events).toEqual([]);
    expect(objects.questions.filter(({ method }) => method === "get")).toEqual([
      { method: "get", key: blockKey(39) },
    ]);
  });

  test("publishes a committed block that was not published", async () => {
    const { run, keys, events } = reconcileWorld(chainOf(5), chainOf(4));
    expect(await run(LEADS)).toMatchObject({ storedBlock: 4, publishedBlock: 4 });
    expect(keys()).toEqual(keysTo(4));
    expect(events).toEqual([{ kind: "published", done: 1, total: 1 }]);
  });

  test("unwinds that block if another one was published, and is behind", async () => {
    const { run, blocks, events } = reconcileWorld(chainOf(5), chainOf(7, 4));
    expect(await run(LEADS)).toEqual({ storedBlock: 3, publishedBlock: 6, epoch: 1 });
    expect(blocks).toHaveLength(4);
    expect(events).toEqual([{ kind: "unwound", newestBlock: 3, count: 1 }]);
  });

  test("unwinds that block if another one is published just before", async () => {
    const { run, blocks, objects, events } = reconcileWorld(chainOf(5), chainOf(4));
    objects.fault = ({ method }) => {
      if (method === "putIfAbsent" && !objects.objects.has(blockKey(4))) {
        const [block] = chainOf(5, 4).slice(4) as [Block];
        objects.objects.set(blockKey(4), encodeBundle(commitOf(block)));
      }
      return "none";
    };
    expect(await run(LEADS)).toMatchObject({ storedBlock: 3, publishedBlock: 4 });
    expect(blocks).toHaveLength(4);
    expect(events).toEqual([{ kind: "unwound", newestBlock: 3, count: 1 }]);
  });

  test("unwinds its block of an earlier epoch, even if the other one has the same hash", async () => {
    const later = chainOf(5).map((block) => ({ ...block, epoch: block.number === 4 ? 3 : 0 }));
    const { run, events } = reconcileWorld(chainOf(5), later);
    expect(await run(LEADS)).toEqual({ storedBlock: 3, publishedBlock: 4, epoch: 3 });
    expect(events).toEqual([{ kind: "unwound", newestBlock: 3, count: 1 }]);
  });

  test("ignores the epochs of blocks that it has built on", async () => {
    const told = chainOf(7).map((block) => ({ ...block, epoch: 3 }));
    const { run, blocks } = reconcileWorld(chainOf(7), told.slice(0, 6));
    expect(await run(LEADS)).toEqual({ storedBlock: 6, publishedBlock: 6, epoch: 3 });
    expect(blocks).toHaveLength(7);
  });

  test("publishes a chain to an empty store from block 0 on, with progress", async () => {
    const { run, keys, events } = reconcileWorld(chainOf(30), []);
    await run(LEADS);
    expect(keys()).toEqual(keysTo(29));
    expect(events.at(0)).toEqual({ kind: "published", done: 1, total: 30 });
    expect(events.at(-1)).toEqual({ kind: "published", done: 30, total: 30 });
  });

  test("restores blocks that the store lost, including its newest", async () => {
    const kept = chainOf(30).filter(({ number }) => ![0, 7, 8, 28, 29].includes(number));
    const { run, keys, events } = reconcileWorld(chainOf(30), kept);
    await run(LEADS);
    expect(keys()).toEqual(keysTo(29));
    const filled = events.flatMap((event) => (event.kind === "filled" ? [event.blockNumber] : []));
    expect(filled).toEqual([0, 7, 8]);
  });

  test("restores lost blocks also if the store lists few objects at a time", async () => {
    const kept = chainOf(30).filter(({ number }) => ![2, 12, 25].includes(number));
    const { run, keys, objects } = reconcileWorld(chainOf(30), kept);
    const list = objects.list.bind(objects);
    objects.list = (prefix, after) => list(prefix, after, 4);
    await run(LEADS);
    expect(keys()).toEqual(keysTo(29));
  });

  test("keeps its blocks if it is behind", async () => {
    const { run, blocks } = reconcileWorld(chainOf(10), chainOf(25));
    expect(await run(LEADS)).toEqual({ storedBlock: 9, publishedBlock: 24, epoch: 0 });
    expect(blocks).toHaveLength(10);
  });

  test("refuses a store that lost every block before the fork", async () => {
    const { run, blocks, keys } = reconcileWorld(chainOf(5), chainOf(5, 2).slice(3));
    expect(run(LEADS)).rejects.toThrow(
      "the object store has no block from 0 to 2, and its block 3 differs from the data directory's",
    );
    await Bun.sleep(0);
    expect(blocks).toHaveLength(5);
    expect(keys()).toEqual([blockKey(3), blockKey(4)]);
  });

  test("refuses a store with another block 0, unless its own is new", async () => {
    const { run, blocks } = reconcileWorld(chainOf(3), chainOf(5, 0));
    expect(run(LEADS)).rejects.toThrow("another chain");
    await Bun.sleep(0);
    expect(blocks).toHaveLength(3);
    const made = reconcileWorld(chainOf(1), chainOf(5, 0));
    expect(await made.run({ ...LEADS, isNew: true })).toMatchObject({ storedBlock: -1 });
  });

  test("does nothing with an empty store and an empty chain", async () => {
    const { run } = reconcileWorld([], []);
    const empty = { storedBlock: -1, publishedBlock: -1, epoch: 0 };
    expect(await run(LEADS)).toEqual(empty);
    expect(await run(FOLLOWS)).toEqual(empty);
  });
});

describe("a standby that starts", () => {
  test("publishes nothing, and unwinds its unpublished block", async () => {
    const { run, keys, blocks } = reconcileWorld(chainOf(5), chainOf(4));
    expect(await run(FOLLOWS)).toEqual({ storedBlock: 3, publishedBlock: 3, epoch: 0 });
    expect(keys()).toEqual(keysTo(3));
    expect(blocks).toHaveLength(4);
  });

  test("keeps imported blocks that the store has lost", async () => {
    const { run, keys, blocks } = reconcileWorld(chainOf(5), chainOf(4));
    await run({ ...FOLLOWS, isFollowed: true });
    expect(keys()).toEqual(keysTo(3));
    expect(blocks).toHaveLength(5);
  });

  test("refuses a chain that was mostly never published", async () => {
    const { run, blocks } = reconcileWorld(chainOf(9), chainOf(4));
    expect(run(FOLLOWS)).rejects.toThrow("5 blocks that the object store does not have");
    await Bun.sleep(0);
    expect(blocks).toHaveLength(9);
  });
});

describe("a chain from a snapshot", () => {
  test("agrees with the store up to the fork, however close to its first block", async () => {
    for (let forkAt = 31; forkAt < 40; forkAt++) {
      const { run, blocks } = reconcileWorld(chainOf(40), chainOf(50, forkAt), 30);
      expect(await run(LEADS)).toMatchObject({ storedBlock: forkAt - 1, publishedBlock: 49 });
      expect(blocks).toHaveLength(forkAt);
    }
  });

  test("is refused by a store with another first block", async () => {
    const { run, blocks } = reconcileWorld(chainOf(40), chainOf(50, 30), 30);
    expect(run(LEADS)).rejects.toThrow("block 30 of the object store differs");
    await Bun.sleep(0);
    expect(blocks).toHaveLength(40);
  });

  test("publishes missing blocks, unless the store lacks blocks before its first", async () => {
    const { run, keys } = reconcileWorld(chainOf(40), chainOf(35), 30);
    expect(await run(LEADS)).toMatchObject({ storedBlock: 39, publishedBlock: 39 });
    expect(keys()).toEqual(keysTo(39));
    for (const published of [20, 0]) {
      const behind = reconcileWorld(chainOf(40), chainOf(published), 30);
      expect(behind.run(LEADS)).rejects.toThrow("the data directory starts above it");
      expect(behind.keys()).toEqual(keysTo(published - 1));
    }
  });
});

test("reconciles chains with any fork and any lost objects up to the fork", async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.record({
        stored: fc.integer({ min: 1, max: 40 }),
        published: fc.integer({ min: 0, max: 40 }),
        forkAt: fc.integer({ min: 1, max: 45 }),
        lost: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }),
      }),
      async ({ stored, published, forkAt, lost }) => {
        const theirs = chainOf(published, forkAt);
        const there = theirs.filter(({ number }) => !lost.includes(number));
        const { run, blocks, objects } = reconcileWorld(chainOf(stored), there);
        const lowest = there.find(({ number }) => number < stored);
        if (lowest !== undefined && lowest.number > forkAt) {
          expect(run(LEADS)).rejects.toThrow("it cannot be verified that both have the same chain");
          await Bun.sleep(0);
          expect(blocks).toHaveLength(stored);
          return;
        }
        const { storedBlock, publishedBlock } = await run(LEADS);
        const newest = there.at(-1)?.number ?? -1;
        // No stored object is overwritten, and every kept block matches them.
        for (const block of there) {
          expect(objects.objects.get(blockKey(block.number))).toEqual(
            encodeBundle(commitOf(block)),
          );
        }
        expect(blocks).toHaveLength(storedBlock + 1);
        const contradicted = there.find(
          ({ number, fork }) => number <= storedBlock && fork !== blocks[number]?.fork,
        );
        expect(contradicted).toBeUndefined();
        expect(publishedBlock).toBe(Math.max(newest, storedBlock));
        // Local blocks below a fork are kept, unless the fork cannot be located.
        if (!lost.includes(forkAt)) {
          expect(storedBlock).toBe(
            newest >= forkAt ? Math.min(stored - 1, forkAt - 1) : stored - 1,
          );
        }
      },
    ),
  );
});
