import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { forkSetupOf, type ForkPin } from "#app/node/setup/fork.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { DevAccountOptions } from "#app/node/setup/node-options.ts";
import { type FolderRequest, ORDINARY_START } from "#app/node/storage/folder/folder-request.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { prepareFollower } from "#app/node/storage/folder/prepare-follower.ts";
import {
  type ForkedSetup,
  type ForkOrigin,
  prepareFork,
} from "#app/node/storage/folder/prepare-fork.ts";
import {
  hasBlocks,
  recordedFork,
  recordedOriginal,
} from "#app/node/storage/folder/recorded-fork.ts";
import { ConfigError, OriginError } from "#base/errors/index.ts";
import { createChainReader, openDatabase, type StoredChainReader } from "#io/storage/index.ts";
import { blockHash, EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { createDevPage } from "#services/sequencer/index.ts";
import { testBlockHash, testHeader } from "#test/helpers/blocks.ts";
import { FORK_BLOCK, forkPin, originWith } from "#test/helpers/fork-origin.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const DEFAULTS = { count: null, seed: null, balance: null };
const DEV: DevAccountOptions = { count: 2, seed: ownSeed(7n), balance: 5n, setBy: DEFAULTS };
const RESET: FolderRequest = { ...ORDINARY_START, reset: { others: [], home: "/nowhere" } };

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => folder[Symbol.dispose]());

async function setupOf(pin: ForkPin, startTime: number | null = null): Promise<ForkedSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const files = nodeFiles(folder.path, null);
  const limits = { timeoutMs: 1_000, concurrency: 1, maxLimitedBytes: 1 << 20 };
  return {
    ...ORDINARY_SETUP,
    config,
    files,
    chargeFees: true,
    executionMemoryBytes: 768 * 2 ** 20,
    l1Prices: fixedL1Prices({ l1GasPriceWei: null, blobGasPriceWei: null, strkPerEth: null }),
    devnet: {
      page: createDevPage(startTime, 0),
      impersonation: new SharedArrayBuffer(8),
      blocks: "configured",
      genesisTimestamp: startTime ?? 0,
    },
    fork: forkSetupOf({ urls: ["http://a.example"], ...limits }, pin, files.forkDatabase),
  };
}

/** Prepares the folder as the start of a node does, and releases it. */
async function start(
  origin: ForkOrigin,
  request: FolderRequest = ORDINARY_START,
  startTime: number | null = null,
) {
  const setup = await setupOf(origin.pin, startTime);
  const prepared = await prepareFork(setup, DEV, request, origin);
  prepared.folder.keep();
  prepared.folder.release();
  return prepared;
}

async function read<T>(work: (chain: StoredChainReader) => T): Promise<T> {
  const path = folder.file("chain.db");
  const chainId = "APPCHAIN_DEVNET";
  const database = await openDatabase({ path, chainId, mode: "reader", durability: "full" });
  try {
    return work(createChainReader(database));
  } finally {
    database.close();
  }
}

async function issueOf(started: Promise<unknown>): Promise<string> {
  try {
    await started;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message}`).join("\n");
  }
  return "";
}

describe("a new fork", () => {
  test("stores one block, which follows the fork block", async () => {
    const prepared = await start(originWith(forkPin()));
    expect(prepared).toMatchObject({ nextBlock: FORK_BLOCK + 2, isResumed: false });
    await read((chain) => {
      expect([chain.oldestBlock(), chain.latestNumber()]).toEqual([FORK_BLOCK + 1, FORK_BLOCK + 1]);
      const header = chain.header(FORK_BLOCK + 1);
      if (header === undefined) throw new TypeError("no block");
      expect(header.parentHash).toBe(testBlockHash(FORK_BLOCK));
      expect(header.hash).toBe(blockHash(header));
      expect(header.gasPrices).toEqual(forkPin().header.gasPrices);
      expect(chain.ancestorHeader(FORK_BLOCK)).toEqual(forkPin().header);
    });
  });

  test("writes the hash of the block ten before its first one, for get_block_hash", async () => {
    await start(originWith(forkPin()));
    const old = FORK_BLOCK + 1 - 10;
    await read((chain) => {
      expect(chain.stateDiff(FORK_BLOCK + 1)?.storageDiffs.get(1n)).toEqual(
        new Map([[BigInt(old), testBlockHash(old)]]),
      );
    });
  });

  test("before a transaction has the conditions of that transaction's block, and records it", async () => {
    const header = { ...testHeader(FORK_BLOCK + 1), timestamp: 1_800_000_000 };
    const original = {
      transactionHash: 0x7n,
      header,
      transactions: [],
      receipts: [],
      stateDiff: EMPTY_STATE_DIFF,
      declared: () => Promise.resolve(undefined),
      differs: () => undefined,
    };
    const { accountClass } = await start({ ...originWith(forkPin()), original });
    const first = await read((chain) => chain.header(FORK_BLOCK + 1));
    expect(first).toMatchObject({
      timestamp: header.timestamp,
      gasPrices: header.gasPrices,
      transactionCount: 0,
    });
    const files = nodeFiles(folder.path, null);
    expect(await recordedOriginal(files)).toEqual({
      transactionHash: 0x7n,
      header: first ?? expect.unreachable(),
    });
    // The block stores the hash of the block ten before it, as every executed block.
    const diff = await read((chain) => chain.stateDiff(FORK_BLOCK + 1));
    const oldNumber = BigInt(FORK_BLOCK + 1 - 10);
    expect(diff?.storageDiffs.get(1n)).toEqual(new Map([[oldNumber, testBlockHash(91)]]));
    expect([...(diff?.deployedContracts.values() ?? [])]).toContain(accountClass ?? 0n);
  });

  test("after a whole block records no transaction", async () => {
    await start(originWith(forkPin()));
    expect(await recordedOriginal(nodeFiles(folder.path, null))).toBeUndefined();
  });

  test("has accounts that its first block deploys", async () => {
    const { accounts, accountClass } = await start(originWith(forkPin()));
    await read((chain) => {
      const state = chain.stateAt(FORK_BLOCK + 1);
      const made = accounts(state);
      expect(made).toHaveLength(2);
      for (const { address } of made) {
        expect(state.classHashAt(address)).toBe(accountClass ?? 0n);
      }
    });
  });

  test("has the time of the fork block, or a later start time", async () => {
    const { timestamp } = forkPin().header;
    for (const [startTime, expected] of [
      [null, timestamp],
      [timestamp - 1, timestamp],
      [timestamp + 9, timestamp + 9],
    ] as const) {
      await start(originWith(forkPin()), RESET, startTime);
      expect(await read((chain) => chain.header(FORK_BLOCK + 1)?.timestamp)).toBe(expected);
    }
  });

  test("has the same first block for the same options", async () => {
    await start(originWith(forkPin()));
    const first = await read((chain) => chain.header(FORK_BLOCK + 1)?.hash);
    await start(originWith(forkPin()), RESET);
    expect(await read((chain) => chain.header(FORK_BLOCK + 1)?.hash)).toBe(first ?? 0n);
  });

  test("leaves nothing behind when the origin does not respond", async () => {
    const answer = (): Promise<never> =>
      Promise.reject(new OriginError("ORIGIN_UNAVAILABLE", "no response", true));
    const started = start({ pin: forkPin(), original: null, answer });
    expect(started).rejects.toThrow("no response");
    await Bun.sleep(0);
    await started.catch(() => undefined);
    expect(existsSync(folder.path) ? readdirSync(folder.path) : []).toEqual([]);
  });
});

describe("a fork that exists", () => {
  test("is continued without a query", async () => {
    await start(originWith(forkPin()));
    const origin = originWith(forkPin());
    const prepared = await start(origin);
    expect(prepared).toMatchObject({ nextBlock: FORK_BLOCK + 2, isResumed: true });
    expect(origin.asked).toEqual([]);
  });

  test("has its accounts, whichever of them only the origin has", async () => {
    const made = await start(originWith(forkPin()));
    const [first] = await read((chain) => made.accounts(chain.stateAt(FORK_BLOCK + 1)));
    const contracts = new Map([[first?.address ?? 0n, 0xabcn]]);
    await start(originWith(forkPin(), { contracts }), RESET);
    const { accounts } = await start(originWith(forkPin()));
    expect(await read((chain) => accounts(chain.stateAt(FORK_BLOCK + 1)))).toHaveLength(2);
  });

  test("records the fork block with its ancestors and chain id", async () => {
    await start(originWith(forkPin()));
    const { files } = await setupOf(forkPin());
    expect(await recordedFork({ files, block: null })).toEqual(forkPin());
    const block = { kind: "number", number: FORK_BLOCK } as const;
    expect(await recordedFork({ files, block })).toEqual(forkPin());
  });

  test("is refused with another block, hash or chain", async () => {
    await start(originWith(forkPin()));
    const made = `the chain continues block 100 of ORIGIN (0x${testBlockHash(100).toString(16)})`;
    const other = forkPin({ hash: 0xabcn });
    expect(await issueOf(start(originWith(other)))).toBe(
      `--fork-block: ${made}, not block 100 of ORIGIN (0xabc); use another folder, or start again with --reset`,
    );
    expect(await issueOf(start(originWith(forkPin({}, "OTHER"))))).toStartWith(
      `--fork-url: ${made}, not block 100 of OTHER`,
    );
  });

  test("refuses another requested block before the origin is queried", async () => {
    await start(originWith(forkPin()));
    const { files } = await setupOf(forkPin());
    const byNumber = recordedFork({ files, block: { kind: "number", number: 99 } });
    expect(await issueOf(byNumber)).toContain(", not 99; use another folder");
    const byHash = recordedFork({ files, block: { kind: "hash", hash: 0x12n } });
    expect(await issueOf(byHash)).toContain(", not 0x12; use another folder");
  });

  test("is refused without the options of a fork", async () => {
    await start(originWith(forkPin()));
    const setup = { ...(await setupOf(forkPin())), fork: null };
    const expected =
      /^--fork-url: the chain continues block 100 of ORIGIN .*, and no URL is set; .*--reset$/;
    expect(await issueOf(prepareFolder(setup, DEV))).toMatch(expected);
    expect(await issueOf(prepareFollower(setup, ORDINARY_START))).toMatch(expected);
  });

  test("starts again at another block with --reset", async () => {
    await start(originWith(forkPin()));
    const origin = originWith(forkPin({ hash: 0xabcn }));
    await start(origin, RESET);
    expect(await read((chain) => chain.header(FORK_BLOCK + 1)?.parentHash)).toBe(0xabcn);
  });

  test("stays when the origin does not respond to a reset", async () => {
    await start(originWith(forkPin()));
    const answer = (): Promise<never> =>
      Promise.reject(new OriginError("ORIGIN_UNAVAILABLE", "no response", true));
    const started = start({ pin: forkPin({ hash: 0xabcn }), original: null, answer }, RESET);
    expect(started).rejects.toThrow("no response");
    await Bun.sleep(0);
    await started.catch(() => undefined);
    expect(await read((chain) => chain.header(FORK_BLOCK + 1)?.parentHash)).toBe(
      testBlockHash(FORK_BLOCK),
    );
  });
});

describe("a chain that starts with block 0", () => {
  test("is refused as a fork", async () => {
    const setup = { ...(await setupOf(forkPin())), fork: null };
    const { folder: made } = await prepareFolder(setup, DEV);
    made.keep();
    made.release();
    expect(await hasBlocks(setup.files)).toBe(true);
    expect(await issueOf(recordedFork({ files: setup.files, block: null }))).toBe(
      "--fork-url: the chain starts with block 0, and is no fork; use another folder, or start again with --reset",
    );
    const origin = originWith(forkPin());
    expect(await issueOf(start(origin))).toStartWith(
      "--fork-url: the chain starts with block 0, not after block 100 of ORIGIN",
    );
    expect(origin.asked).toEqual([]);
  });
});

test("a folder without a chain records no fork", async () => {
  const { files } = await setupOf(forkPin());
  expect(await recordedFork({ files, block: null })).toBeUndefined();
  expect(await hasBlocks(files)).toBe(false);
});
