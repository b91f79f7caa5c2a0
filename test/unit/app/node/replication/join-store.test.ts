import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { loadChainConfig } from "#protocol/config/index.ts";
import { decodeBundle, signBlock } from "#protocol/chain/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { blockKey, CHAIN, decodeChain, encodeChain } from "#services/replication/index.ts";
import { openChain } from "#app/node/storage/folder/open-chain.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { ORDINARY_START } from "#app/node/storage/folder/folder-request.ts";
import { prepareFollower } from "#app/node/storage/folder/prepare-follower.ts";
import type { PreparedFolder } from "#app/node/storage/folder/prepared-folder.ts";
import { publishedBlocks } from "#app/node/storage/folder/published-blocks.ts";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import { isSigned } from "#app/node/storage/folder/signed-bundle.ts";
import { checkStore, joinStore } from "#app/node/replication/join-store.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { noTrieChanges, testHeader } from "#test/helpers/blocks.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { followOptions, gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

async function setupIn(name: string): Promise<NodeSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  return {
    ...ORDINARY_SETUP,
    config,
    files: nodeFiles(folder.file(name), null),
    chargeFees: true,
    l1Prices: fixedL1Prices(gasPriceOptions()),
    executionMemoryBytes: 2 ** 28,
  };
}

const log = createLogger({ level: "error", format: "text", write: () => undefined });

/** Locks the folder, joins, and releases it; returns the reconciled position. */
async function join(
  setup: NodeSetup,
  store: MemoryObjectStore,
  leads = true,
  prepare: () => Promise<PreparedFolder> = () => prepareFolder(setup, null),
) {
  const prepared = await prepare();
  try {
    const { signal } = new AbortController();
    const deps = { setup, prepared, store, leads, log, timer: SYSTEM_TIMER, signal };
    await checkStore(deps);
    return await joinStore(deps);
  } finally {
    prepared.folder.release();
  }
}

/** Appends a block to a closed chain, as a committer does before the gate runs. */
async function commit({ config, files }: NodeSetup, number: number): Promise<void> {
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  const parentHash = createChainReader(database).header(number - 1)?.hash ?? 0n;
  const header = { ...testHeader(number), parentHash };
  const { privateKey } = loadSigningKey(files.signingKey);
  createChainWriter(database).commitBlock({
    block: {
      header,
      signature: signBlock(privateKey, header),
      transactions: [],
      receipts: [],
      stateDiff: EMPTY_STATE_DIFF,
    },
    epoch: 0,
    classes: [],
    inputs: { l1Messages: [] },
    trie: noTrieChanges(2 ** 20),
  });
  database.close();
}

describe("a sequencer that joins a store", () => {
  test("records its chain and first block, even if the start fails later", async () => {
    const setup = await setupIn("data");
    const store = new MemoryObjectStore();
    expect(await join(setup, store)).toMatchObject({ storedBlock: 0, publishedBlock: 0 });
    expect(decodeChain(store.objects.get(CHAIN) ?? new Uint8Array())).toMatchObject({
      chainId: setup.config.chainId,
      nativeFeeToken: setup.config.nativeFeeTokenAddress,
    });
    const bundle = decodeBundle(store.objects.get(blockKey(0)) ?? new Uint8Array());
    const { chain, close } = await openChain(setup);
    expect(bundle.block.header.hash).toBe(chain.header(0)?.hash ?? 0n);
    expect(publishedBlocks(chain)).toEqual({ store: store.name, through: 0 });
    close();
  });

  test("accepts only blocks whose header, hash and signature match", async () => {
    const setup = await setupIn("data");
    const store = new MemoryObjectStore();
    await join(setup, store);
    const bundle = decodeBundle(store.objects.get(blockKey(0)) ?? new Uint8Array());
    expect(isSigned(bundle, setup)).toBe(true);
    const { block } = bundle;
    const withHeader = (changed: object) =>
      isSigned({ ...bundle, block: { ...block, header: { ...block.header, ...changed } } }, setup);
    // A signature covers a hash, which covers a header.
    expect(withHeader({ number: 7 })).toBe(false);
    expect(withHeader({ hash: block.header.hash + 1n })).toBe(false);
    const other = await setupIn("other");
    await join(other, new MemoryObjectStore());
    expect(isSigned(bundle, other)).toBe(false);
  });

  test("publishes a block that was committed but not published before a kill", async () => {
    const setup = await setupIn("data");
    const store = new MemoryObjectStore();
    await join(setup, store);
    await commit(setup, 1);
    expect(await join(setup, store)).toMatchObject({ storedBlock: 1, publishedBlock: 1 });
    expect([...store.objects.keys()].sort()).toEqual([blockKey(0), blockKey(1), CHAIN]);
  });

  test("unwinds that block if another one was published, and keeps the mempool", async () => {
    const setup = await setupIn("data");
    const store = new MemoryObjectStore();
    await join(setup, store);
    await commit(setup, 1);
    store.objects.set(blockKey(1), Uint8Array.of(9));
    await Bun.write(setup.files.mempoolDatabase, "transactions");
    expect(await join(setup, store)).toMatchObject({ storedBlock: 0, publishedBlock: 1 });
    const { chain, close } = await openChain(setup);
    expect(chain.latestNumber()).toBe(0);
    close();
    expect(await Bun.file(setup.files.mempoolDatabase).text()).toBe("transactions");
  });

  test("is behind from block 0 if its folder was lost, with its former key", async () => {
    const first = await setupIn("first");
    const store = new MemoryObjectStore();
    await join(first, store);
    // Differs from block 0 of the new folder, as it does after some time.
    store.objects.set(blockKey(0), Uint8Array.of(9));
    const setup = await setupIn("second");
    const files = { ...setup.files, signingKey: { ...first.files.signingKey, mayCreate: false } };
    const position = await join({ ...setup, files }, store);
    expect(position).toMatchObject({ storedBlock: -1, publishedBlock: 0 });
  });

  test("of another chain is refused with the differences, and leaves nothing behind", async () => {
    const store = new MemoryObjectStore();
    await join(await setupIn("data"), store);
    const objects = new Map(store.objects);
    const other = await setupIn("other");
    const refused = join(other, store).catch((error: unknown) => error);
    expect(await refused).toMatchObject({
      code: "CONFIG_INVALID",
      issues: [{ path: "public half of the block-signing key" }],
    });
    expect(existsSync(other.files.folder)).toBe(false);
    expect(store.objects).toEqual(objects);
  });

  test("is refused by a store with a malformed chain record", async () => {
    const store = new MemoryObjectStore();
    store.objects.set(CHAIN, new TextEncoder().encode("[1]"));
    expect(join(await setupIn("data"), store)).rejects.toThrow("is not the store of a chain");
    await Bun.sleep(50);
  });

  test("joins a store claimed concurrently for its own chain, and refuses one of another chain", async () => {
    const setup = await setupIn("data");
    const store = new MemoryObjectStore();
    await join(setup, store);
    const record = store.objects.get(CHAIN) ?? encodeChain(decodeChain(new Uint8Array()));
    store.objects.delete(CHAIN);
    let put = record;
    store.fault = ({ method, key }) => {
      if (method === "putIfAbsent" && key === CHAIN) store.objects.set(CHAIN, put);
      return "none";
    };
    expect(await join(setup, store)).toMatchObject({ storedBlock: 0 });
    store.objects.delete(CHAIN);
    put = encodeChain({ ...decodeChain(record), publicKey: 7n });
    expect(await join(setup, store).catch(String)).toContain("the store of another chain");
    // A new chain has not been announced at this point.
    store.objects.clear();
    const other = await setupIn("other");
    expect(await join(other, store).catch(String)).toContain("the store of another chain");
    expect(existsSync(other.files.folder)).toBe(false);
  });
});

describe("a standby that joins a store", () => {
  const follow = followOptions({
    store: { bucket: "b", prefix: "", endpoint: "http://h", region: "r", credentialsFile: null },
  });
  const asStandby = (setup: NodeSetup): NodeSetup => ({ ...setup, follow });

  test("keeps the folder of its former sequencer, without the unpublished block", async () => {
    const setup = await setupIn("data");
    const store = new MemoryObjectStore();
    await join(setup, store);
    await commit(setup, 1);
    const standby = asStandby(setup);
    const position = await join(standby, store, false, () =>
      prepareFollower(standby, ORDINARY_START),
    );
    expect(position).toMatchObject({ storedBlock: 0, publishedBlock: 0 });
    expect(store.objects.has(blockKey(1))).toBe(false);
    // Afterwards it can lead again.
    expect(await join(setup, store)).toMatchObject({ storedBlock: 0, publishedBlock: 0 });
  });

  test("refuses an unclaimed store without naming it, and creates no key", async () => {
    const setup = asStandby(await setupIn("data"));
    const store = new MemoryObjectStore();
    const joined = join(setup, store, false, () => prepareFollower(setup, ORDINARY_START));
    expect(await joined.catch((error: unknown) => error)).toMatchObject({
      message: expect.stringContaining("block-signing.key"),
    });
    expect(store.objects.size).toBe(0);
    expect(existsSync(setup.files.signingKey.path)).toBe(false);
  });
});
