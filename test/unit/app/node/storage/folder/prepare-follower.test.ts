import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { AppError, ConfigError } from "#base/errors/index.ts";
import { loadChainConfig, type ChainConfig } from "#protocol/config/index.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { beginMaking } from "#app/node/storage/folder/begin-making.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import { ORDINARY_START } from "#app/node/storage/folder/folder-request.ts";
import { prepareFollower } from "#app/node/storage/folder/prepare-follower.ts";
import {
  decodeMetadata,
  encodeMetadata,
  METADATA_KEY,
} from "#app/node/storage/folder/chain-metadata.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { createChainReader, createChainWriter, openDatabase } from "#io/storage/index.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";

let folder: TemporaryFolder;
afterEach(() => folder[Symbol.dispose]());

async function setupOf(
  overrides: readonly string[] = [],
  privateKeyFile: string | null = null,
): Promise<NodeSetup> {
  const { config } = await loadChainConfig({ preset: "devnet", overrides, role: "sequencer" });
  const l1Prices = fixedL1Prices(gasPriceOptions());
  return {
    config: config satisfies ChainConfig,
    files: nodeFiles(folder.file("data"), privateKeyFile),
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 2 ** 28,
    ...ORDINARY_SETUP,
  };
}

/** Starts and stops as a full node; returns the next block. */
async function follow(setup: NodeSetup): Promise<number> {
  const prepared = await prepareFollower(setup, ORDINARY_START);
  prepared.folder.keep();
  prepared.folder.release();
  return prepared.nextBlock;
}

/** Starts and stops as a sequencer; returns the next block. */
async function produce(setup: NodeSetup): Promise<number> {
  const prepared = await prepareFolder(setup, null);
  prepared.folder.keep();
  prepared.folder.release();
  return prepared.nextBlock;
}

/** A sequencer's folder whose chain is marked as followed. */
async function followed(): Promise<NodeSetup> {
  const setup = await setupOf();
  await produce(setup);
  const { config, files } = setup;
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  const metadata = decodeMetadata(createChainReader(database).value(METADATA_KEY));
  const { genesis: _, dev_accounts: __, ...rest } = metadata;
  const told = encodeMetadata({ ...rest, role: "full node" });
  createChainWriter(database).putValue(METADATA_KEY, told);
  database.close();
  return setup;
}

/** Message of a failed start, with its findings. */
const refusalOf = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => "none",
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      const issues = error instanceof ConfigError ? error.issues : [];
      return [error.message, ...issues.map(({ path }) => path)].join(", ");
    },
  );

describe("a full node's folder", () => {
  test("gets no key, no block and no accounts", async () => {
    folder = temporaryFolder();
    const setup = await setupOf();
    const prepared = await prepareFollower(setup, ORDINARY_START);
    expect([prepared.nextBlock, prepared.isResumed, prepared.accountClass]).toEqual([
      0,
      false,
      null,
    ]);
    const files = readdirSync(setup.files.folder).filter((name) => /\.(db|key)$/.test(name));
    expect(files.sort()).toEqual(["chain.db", "lock.db"]);
    prepared.folder.release();
  });

  test("resumes at the block after its newest one", async () => {
    folder = temporaryFolder();
    expect(await follow(await followed())).toBe(1);
  });

  test("is refused for a chain with another fee token", async () => {
    folder = temporaryFolder();
    await followed();
    const other = await setupOf(["native_fee_token_address=0x5"]);
    expect(await refusalOf(follow(other))).toContain("native_fee_token_address");
  });

  test("is refused for another chain", async () => {
    folder = temporaryFolder();
    await follow(await setupOf());
    expect(await refusalOf(follow(await setupOf(["chain_id=OTHER"])))).toContain("OTHER");
  });

  test("may have newer blocks than the configured protocol version", async () => {
    folder = temporaryFolder();
    await followed();
    const older = await setupOf(["latest_protocol_version=0.13.2"]);
    expect(await follow(older)).toBe(1);
    expect(await refusalOf(produce(older))).toContain("latest_protocol_version");
  });
});

describe("a folder that changes its role", () => {
  test("is refused for following once blocks were produced in it", async () => {
    folder = temporaryFolder();
    const setup = await setupOf();
    await produce(setup);
    expect(await refusalOf(follow(setup))).toContain("is a sequencer's");
    expect(await produce(setup)).toBe(1);
  });

  test("produces blocks with the key of its newest one, and becomes a sequencer's", async () => {
    folder = temporaryFolder();
    const setup = await followed();
    expect(await produce(setup)).toBe(1);
    expect(await refusalOf(follow(setup))).toContain("is a sequencer's");
  });

  test("produces blocks in a running node if the configuration matches, and becomes a sequencer's", async () => {
    folder = temporaryFolder();
    const setup = await followed();
    const older = await setupOf(["latest_protocol_version=0.13.2"]);
    expect(await refusalOf(beginMaking(older))).toContain("latest_protocol_version");
    expect(await follow(setup)).toBe(1);
    await beginMaking(setup);
    expect(await refusalOf(follow(setup))).toContain("is a sequencer's");
  });

  test("is refused for production with another key", async () => {
    folder = temporaryFolder();
    await followed();
    const key = folder.file("other.key");
    writeFileSync(key, "0x123\n", { mode: 0o600 });
    const other = await setupOf([], key);
    expect(await refusalOf(produce(other))).toContain("the key that signed them");
    expect(await follow(other)).toBe(1);
  });

  test("can take any role while it has no block", async () => {
    folder = temporaryFolder();
    const setup = await setupOf();
    await follow(setup);
    expect(await produce(setup)).toBe(1);
  });
});
