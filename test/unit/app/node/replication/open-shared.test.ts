import { afterEach, beforeEach, expect, test } from "bun:test";
import { prepareFolder } from "#app/node/folder/prepare.ts";
import { joinShared } from "#app/node/replication/open-shared.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { AppError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { blockKey, LEADER } from "#services/replication/index.ts";
import { leaderRecord, storedLeader, writeLeader } from "#test/helpers/leader-records.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const log = createLogger({ level: "error", format: "text", write: () => undefined });

async function setupOf(): Promise<NodeSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  return {
    ...ORDINARY_SETUP,
    config,
    files: nodeFiles(folder.file("data"), null),
    chargeFees: true,
    l1Prices: fixedL1Prices({ l1GasPriceWei: null, blobGasPriceWei: null, strkPerEth: null }),
    executionMemoryBytes: 2 ** 28,
  };
}

/** Starts in the folder, and gives it free; what a failed start says. */
async function join(store: MemoryObjectStore, leads = true, signal = new AbortController().signal) {
  const setup = await setupOf();
  const prepared = await prepareFolder(setup, null);
  try {
    return await joinShared(store, leads, signal, { setup, prepared, log, timer: SYSTEM_TIMER });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message };
  } finally {
    prepared.folder.release();
  }
}

/** The leader gives a sign of life with each look. */
function beating(store: MemoryObjectStore): void {
  let counter = 1;
  store.fault = ({ method, key }) => {
    if (method === "get" && key === LEADER) writeLeader(store, { counter: counter++ });
    return "none";
  };
}

test("the first sequencer of a store publishes what it has, and knows itself again", async () => {
  const store = new MemoryObjectStore();
  const first = await join(store);
  expect(first).toMatchObject({ leader: undefined, standing: { storedBlock: 0 } });
  expect(store.objects.has(blockKey(0))).toBe(true);
  const again = await join(store);
  expect("instance" in first && "instance" in again && first.instance === again.instance).toBe(
    true,
  );
});

test("a leader that gives signs of life is named, and the store is left as it was", async () => {
  const store = new MemoryObjectStore();
  beating(store);
  const { code, message } = (await join(store)) as { code: string; message: string };
  expect([code, message]).toEqual([
    "NODE_DEPOSED",
    expect.stringContaining("epoch 1, gateway http://127.0.0.1:1"),
  ]);
  expect([...store.objects.keys()]).toEqual([LEADER]);
});

test("one that has stopped in order is none, and its record is told", async () => {
  const store = new MemoryObjectStore();
  writeLeader(store, { hasStopped: true });
  expect(await join(store)).toMatchObject({ leader: leaderRecord({ hasStopped: true }) });
  expect(storedLeader(store)?.hasStopped).toBe(true);
});

test("blocks that whoever led has published and nobody has any more are not made again", async () => {
  const store = new MemoryObjectStore();
  writeLeader(store, { hasStopped: true, newestBlock: 3 });
  expect(await join(store)).toMatchObject({
    code: "NODE_DEPOSED",
    message: expect.stringMatching(/blocks up to 3, .* up to 0/),
  });
});

test("a start that is called off while the store is away ends", async () => {
  const store = new MemoryObjectStore();
  store.fault = () => "down";
  const started = join(store, true, AbortSignal.timeout(50));
  expect(await started).toMatchObject({ code: expect.stringMatching(/_STOPPED$/) });
});
