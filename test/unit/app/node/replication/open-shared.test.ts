import { afterEach, beforeEach, expect, test } from "bun:test";
import { ORDINARY_START } from "#app/node/storage/folder/folder-request.ts";
import { openChain } from "#app/node/storage/folder/open-chain.ts";
import type { PreparedFolder } from "#app/node/storage/folder/prepared-folder.ts";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { bindOpened } from "#app/node/storage/folder/bind-opened.ts";
import {
  type InspectedStore,
  inspectStore,
  makesFirstBlock,
} from "#app/node/replication/inspect-store.ts";
import { joinShared } from "#app/node/replication/open-shared.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { AppError, ConfigError, invariant } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { blockKey, CHAIN, LEADER } from "#services/replication/index.ts";
import { leaderRecord, storedLeader, writeLeader } from "#test/helpers/leader-records.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const log = createLogger({ level: "error", format: "text", write: () => undefined });

async function setupOf(keyFile: string | null = null): Promise<NodeSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  return {
    ...ORDINARY_SETUP,
    config,
    files: nodeFiles(folder.file("data"), keyFile),
    chargeFees: true,
    l1Prices: fixedL1Prices(gasPriceOptions()),
    executionMemoryBytes: 2 ** 28,
  };
}

/** Starts in the folder and releases it; returns the failure of a failed start. */
async function join(
  store: MemoryObjectStore,
  leads = true,
  signal = new AbortController().signal,
  keyFile: string | null = null,
) {
  const setup = await setupOf(keyFile);
  const deps = { setup, log, timer: SYSTEM_TIMER };
  let asked: InspectedStore | undefined;
  let prepared: PreparedFolder | undefined;
  try {
    prepared = await prepareFolder(setup, null, {
      ...ORDINARY_START,
      async mayBegin() {
        asked = await inspectStore({ ...deps, store, leads, signal });
        return makesFirstBlock(asked);
      },
    });
    invariant(asked !== undefined, "the store was not asked");
    return await joinShared(asked, leads, signal, { ...deps, prepared });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const issues = error instanceof ConfigError ? error.issues : [];
    const details = issues.map(({ path, message }) => `; ${path}: ${message}`);
    return { code: error.code, message: error.message + details.join("") };
  } finally {
    prepared?.folder.release();
  }
}

/** The leader writes a heartbeat before each read. */
function beating(store: MemoryObjectStore): void {
  let counter = 1;
  store.fault = ({ method, key }) => {
    if (method === "get" && key === LEADER) writeLeader(store, { counter: counter++ });
    return "none";
  };
}

test("the first sequencer of a store publishes its chain and recognizes itself later", async () => {
  const store = new MemoryObjectStore();
  const first = await join(store);
  expect(first).toMatchObject({ leader: undefined, position: { storedBlock: 0 } });
  expect(store.objects.has(blockKey(0))).toBe(true);
  const again = await join(store);
  expect("instance" in first && "instance" in again && first.instance === again.instance).toBe(
    true,
  );
});

test("names a live leader and leaves the store unchanged", async () => {
  const store = new MemoryObjectStore();
  beating(store);
  const { code, message } = (await join(store)) as { code: string; message: string };
  expect([code, message]).toEqual([
    "NODE_DEPOSED",
    expect.stringContaining("epoch 1, gateway http://127.0.0.1:1"),
  ]);
  expect([...store.objects.keys()]).toEqual([LEADER]);
  expect(existsSync(folder.file("data"))).toBe(false);
});

test("creates nothing of a chain in the folder while it reads the store", async () => {
  const store = new MemoryObjectStore();
  const seen: string[][] = [];
  store.fault = () => {
    if (!store.objects.has(CHAIN))
      seen.push(readdirSync(folder.file("data")).filter((name) => !name.startsWith("lock.db")));
    return "none";
  };
  await join(store);
  const asked = seen.slice(
    0,
    seen.findIndex((names) => names.includes("chain.db")),
  );
  expect(asked.length).toBeGreaterThan(3);
  expect(asked).toEqual(asked.map(() => []));
});

test("takes blocks from a store that has some, and creates no block 0", async () => {
  const store = new MemoryObjectStore();
  await join(store);
  const first = new Map(store.objects);
  const key = readFileSync(folder.file("data/block-signing.key"));
  rmSync(folder.file("data"), { recursive: true });
  writeFileSync(folder.file("given.key"), key, { mode: 0o600 });
  const again = await join(store, true, undefined, folder.file("given.key"));
  expect(again).toMatchObject({ position: { storedBlock: -1, publishedBlock: 0 } });
  expect(store.objects).toEqual(first);
});

test("names the missing key of the store's chain and leaves nothing behind", async () => {
  const store = new MemoryObjectStore();
  await join(store);
  rmSync(folder.file("data"), { recursive: true });
  expect(await join(store)).toEqual({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/public half .*the store's chain has 0x.* --private-key-file/s),
  });
  expect(existsSync(folder.file("data"))).toBe(false);
});

test("names the key of the store's chain if its own is empty, as after a kill", async () => {
  const store = new MemoryObjectStore();
  await join(store);
  rmSync(folder.file("data"), { recursive: true });
  mkdirSync(folder.file("data"));
  writeFileSync(folder.file("data/block-signing.key"), "");
  expect(await join(store)).toMatchObject({
    message: expect.stringMatching(/the store's chain has 0x.* --private-key-file/s),
  });
});

/**
 * A store with a chain, and a folder with a different block 0 of the same key, created without the
 * store.
 */
async function withOtherBlock(store: MemoryObjectStore): Promise<NodeSetup> {
  await join(store);
  const key = folder.file("given.key");
  writeFileSync(key, readFileSync(folder.file("data/block-signing.key")), { mode: 0o600 });
  rmSync(folder.file("data"), { recursive: true });
  const setup = await setupOf(key);
  const killed = await prepareFolder(
    { ...setup, l1Prices: { ...setup.l1Prices, l1GasWei: 77n } },
    null,
  );
  killed.folder.keep();
  killed.folder.release();
  return setup;
}

test("replaces block 0 of a start that was killed before it joined", async () => {
  const store = new MemoryObjectStore();
  const { files } = await withOtherBlock(store);
  expect(await join(store, true, undefined, files.signingKey.path)).toMatchObject({
    position: { storedBlock: -1, publishedBlock: 0 },
  });
});

test("refuses a different block 0 that was already served, and keeps it", async () => {
  const store = new MemoryObjectStore();
  const setup = await withOtherBlock(store);
  const opened = await openChain(setup);
  bindOpened(setup, opened.chain, log, false);
  const own = opened.chain.header(0)?.hash;
  opened.close();
  for (const start of [1, 2]) {
    expect([start, await join(store, true, undefined, setup.files.signingKey.path)]).toEqual([
      start,
      {
        code: "CONFIG_INVALID",
        message: expect.stringContaining("block 0 of the object store differs"),
      },
    ]);
  }
  const { chain, close } = await openChain(setup);
  expect(chain.header(0)?.hash).toBe(own);
  close();
});

test("returns the record of a leader that stopped cleanly", async () => {
  const store = new MemoryObjectStore();
  writeLeader(store, { hasStopped: true });
  store.objects.set(blockKey(0), Uint8Array.of(9));
  expect(await join(store)).toMatchObject({ leader: leaderRecord({ hasStopped: true }) });
  expect(storedLeader(store)?.hasStopped).toBe(true);
});

test("refuses to recreate published blocks that were lost", async () => {
  const store = new MemoryObjectStore();
  writeLeader(store, { hasStopped: true, newestBlock: 3 });
  expect(await join(store)).toMatchObject({
    code: "NODE_DEPOSED",
    message: expect.stringMatching(/blocks up to 3, .* has none: restore/),
  });
  // Nothing is published, and nothing of a new chain is left.
  expect([...store.objects.keys()]).toEqual([LEADER]);
  expect(existsSync(folder.file("data"))).toBe(false);
});

test("ends if aborted while the store is unavailable", async () => {
  const store = new MemoryObjectStore();
  store.fault = () => "down";
  const started = join(store, true, AbortSignal.timeout(50));
  expect(await started).toMatchObject({ code: expect.stringMatching(/_STOPPED$/) });
});
