import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { type ExplorerStore, openExplorerStore } from "#io/storage/index.ts";
import {
  ExplorerIndexer,
  type IndexerDeps,
  type IndexReport,
} from "#services/explorer-index/index.ts";
import { explorerBlock, invokeOf } from "#test/helpers/explorer-blocks.ts";
import { createFakeChain, type FakeBlock } from "#test/helpers/fake-chain.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
let path: string;
let stop: (() => void)[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file("explorer.db");
});
afterEach(() => {
  for (const each of stop) each();
  stop = [];
  folder[Symbol.dispose]();
});

/** Blocks `from` to `to` of a fork of the chain; a fork continues fork 0 below `from`. */
function blocks(from: number, to: number, fork = 0): FakeBlock[] {
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const parent = i === 0 ? 0 : fork;
    const transactions = [{ transaction: invokeOf(0xa11cen, BigInt(from + i)) }];
    return explorerBlock(from + i, transactions, {}, { own: fork, parent });
  });
}

interface World {
  readonly indexer: ExplorerIndexer;
  readonly reports: IndexReport[];
  readonly timer: FakeTimer;
}

function start(chain: readonly FakeBlock[], changed: Partial<IndexerDeps> = {}): World {
  const reports: IndexReport[] = [];
  const timer = new FakeTimer();
  const indexer = new ExplorerIndexer({
    chain: createFakeChain(chain),
    open: () => openExplorerStore(path, "SN_TEST"),
    remove: () => {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    },
    isInPlace: () => existsSync(path),
    report: (report) => void reports.push(report),
    timer,
    ...changed,
  });
  stop.push(() => indexer.stop());
  return { indexer, reports, timer };
}

/** Lets the indexer work until nothing is left for `ms`. */
async function settle({ timer }: World, ms = 10): Promise<void> {
  for (let i = 0; i < 20; i++) {
    timer.advance(ms);
    await Bun.sleep(1);
  }
}

async function indexed(chain: readonly FakeBlock[], head = chain.length - 1): Promise<World> {
  const world = start(chain);
  world.indexer.grown(head);
  await settle(world);
  return world;
}

function last(reports: readonly IndexReport[]): IndexReport | undefined {
  return reports.at(-1);
}

async function read<T>(use: (store: ExplorerStore) => T): Promise<T> {
  const store = await openExplorerStore(path, "SN_TEST");
  try {
    return use(store);
  } finally {
    store.close();
  }
}

test("indexes the chain up to the visible head, and new blocks when they are visible", async () => {
  const world = await indexed(blocks(0, 9), 4);
  expect(last(world.reports)).toEqual({ kind: "indexed", from: 0, to: 4 });
  world.indexer.grown(7);
  await settle(world);
  expect(last(world.reports)).toEqual({ kind: "indexed", from: 0, to: 7 });
});

test("fills many blocks in several steps", async () => {
  const world = await indexed(blocks(0, 450));
  const steps = world.reports.filter(({ kind }) => kind === "indexed");
  expect(last(steps)).toEqual({ kind: "indexed", from: 0, to: 450 });
  expect(steps.length).toBeGreaterThan(2);
});

test("continues where it ended", async () => {
  const chain = blocks(0, 9);
  const first = await indexed(chain, 4);
  first.indexer.stop();
  const second = await indexed(chain);
  expect(second.reports.map((report) => (report.kind === "indexed" ? report.to : report))).toEqual([
    4, 9,
  ]);
});

test.each([0, 3, 8, 9])(
  "unwinds to block %d, the last in common, after a revert",
  async (common) => {
    const first = await indexed(blocks(0, 9));
    first.indexer.stop();
    const other = [...blocks(0, common), ...blocks(common + 1, 12, 1)];
    const second = await indexed(other);
    expect(last(second.reports)).toEqual({ kind: "indexed", from: 0, to: 12 });
    expect(second.reports.some(({ kind }) => kind === "rebuilt")).toBe(false);
    second.indexer.stop();
    const hashes = await read((store) => other.map((_, number) => store.hashOf(number)));
    expect(hashes).toEqual(other.map(({ header }) => header.hash));
  },
);

test("unwinds when the chain became shorter", async () => {
  const first = await indexed(blocks(0, 9));
  first.indexer.stop();
  const second = await indexed(blocks(0, 5));
  expect(last(second.reports)).toEqual({ kind: "indexed", from: 0, to: 5 });
});

test("builds the index again on a chain without a block in common", async () => {
  const first = await indexed(blocks(0, 9));
  first.indexer.stop();
  const second = await indexed(blocks(0, 3, 1));
  expect(second.reports[0]).toMatchObject({ kind: "rebuilt" });
  expect(last(second.reports)).toEqual({ kind: "indexed", from: 0, to: 3 });
});

test("builds the index again over a file that is no database", async () => {
  writeFileSync(path, "no database".repeat(1000));
  const world = await indexed(blocks(0, 3));
  expect(world.reports[0]).toMatchObject({ kind: "rebuilt" });
  expect(last(world.reports)).toEqual({ kind: "indexed", from: 0, to: 3 });
});

test("builds an unusable index again without a pause", async () => {
  writeFileSync(path, "no database".repeat(1000));
  const world = start(blocks(0, 3));
  world.indexer.grown(3);
  await settle(world, 0);
  expect(last(world.reports)).toEqual({ kind: "indexed", from: 0, to: 3 });
});

test("builds the index again when its file was deleted", async () => {
  const world = await indexed(blocks(0, 9), 4);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix);
  world.indexer.grown(9);
  await settle(world);
  expect(last(world.reports)).toEqual({ kind: "indexed", from: 0, to: 9 });
});

test("builds the index again when a reader has found damage", async () => {
  const world = await indexed(blocks(0, 9));
  world.indexer.rebuild("a row is missing");
  await settle(world);
  expect(world.reports.some(({ kind }) => kind === "rebuilt")).toBe(true);
  expect(last(world.reports)).toEqual({ kind: "indexed", from: 0, to: 9 });
});

test("pauses longer and longer while the file cannot be written, and reports it once", async () => {
  const full = new StorageError("STORAGE_FAILED", "the disk is full");
  let attempts = 0;
  let isFull = true;
  const world = start(blocks(0, 3), {
    open() {
      attempts++;
      return isFull ? Promise.reject(full) : openExplorerStore(path, "SN_TEST");
    },
  });
  world.indexer.grown(3);
  await settle(world, 1_000);
  expect(world.reports.map(({ kind }) => kind)).toEqual(["paused"]);
  // Pauses of 1, 2, 4 and 8 s within 20 s.
  expect(attempts).toBe(5);
  isFull = false;
  await settle(world, 10_000);
  expect(world.reports.map(({ kind }) => kind)).toContain("continued");
  expect(last(world.reports)).toEqual({ kind: "continued" });
});

test("opens the file again after a failure to write it", async () => {
  const events: string[] = [];
  const world = start(blocks(0, 3), {
    async open() {
      const store = await openExplorerStore(path, "SN_TEST");
      if (events.length === 0) {
        spyOn(store, "append").mockImplementationOnce(() => {
          throw new StorageError("STORAGE_FAILED", "the disk is full");
        });
        const close = store.close.bind(store);
        spyOn(store, "close").mockImplementation(() => {
          events.push("close");
          close();
        });
      }
      events.push("open");
      return store;
    },
  });
  world.indexer.grown(3);
  await settle(world, 1_000);
  expect(events).toEqual(["open", "close", "open"]);
  expect(last(world.reports)).toEqual({ kind: "continued" });
});

test("waits one second after a first failure", async () => {
  let attempts = 0;
  const world = start(blocks(0, 3), {
    open() {
      attempts++;
      return Promise.reject(new StorageError("STORAGE_FAILED", "the disk is full"));
    },
  });
  world.indexer.grown(3);
  await settle(world, 0);
  world.timer.advance(999);
  await settle(world, 0);
  expect(attempts).toBe(1);
  world.timer.advance(1);
  await settle(world, 0);
  expect(attempts).toBe(2);
});

test("pauses when a file stays unusable, in place of building it again forever", async () => {
  let removals = 0;
  const world = start(blocks(0, 3), {
    open: () => Promise.reject(new StorageError("STORAGE_DAMAGED", "damaged")),
    remove: () => void removals++,
  });
  world.indexer.grown(3);
  await settle(world);
  expect(removals).toBe(2);
  expect(last(world.reports)).toMatchObject({ kind: "paused" });
});

test("keeps an index that cannot be deleted", async () => {
  const chain = blocks(0, 3);
  const world = start(chain, {
    remove() {
      throw new TypeError("the folder is read-only");
    },
  });
  world.indexer.grown(3);
  await settle(world);
  world.indexer.rebuild("a row is missing");
  await settle(world);
  expect(last(world.reports)).toEqual({ kind: "indexed", from: 0, to: 3 });
});

test("starts at the oldest stored block, and again when the chain starts elsewhere", async () => {
  const chain = blocks(0, 9);
  const startingAt = (oldest: number) => ({ ...createFakeChain(chain), oldestBlock: () => oldest });
  const first = start(chain, { chain: startingAt(6) });
  first.indexer.grown(9);
  await settle(first);
  expect(last(first.reports)).toEqual({ kind: "indexed", from: 6, to: 9 });
  first.indexer.stop();
  const second = start(chain, { chain: startingAt(4) });
  second.indexer.grown(9);
  await settle(second);
  expect(last(second.reports)).toEqual({ kind: "indexed", from: 4, to: 9 });
});

test("does nothing after it was stopped", async () => {
  const world = start(blocks(0, 3));
  world.indexer.grown(3);
  world.indexer.stop();
  await settle(world);
  expect(world.reports).toEqual([]);
  expect(world.timer.alarms).toBe(0);
});
