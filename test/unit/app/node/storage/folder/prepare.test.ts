import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import type { DevAccountOptions } from "#app/node/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { fixedL1Prices } from "#app/node/setup/l1-prices.ts";
import { ORDINARY_START } from "#app/node/storage/folder/folder-request.ts";
import { prepareFolder } from "#app/node/storage/folder/prepare.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { createChainReader, openDatabase } from "#io/storage/index.ts";
import { gasPriceOptions } from "#test/helpers/options.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const ALL_DEFAULT = { count: null, seed: null, balance: null };
const DEV: DevAccountOptions = { count: 3, seed: ownSeed(7n), balance: 5n, setBy: ALL_DEFAULT };
const DEFAULT_DEV: DevAccountOptions = {
  count: 10,
  seed: ownSeed(0n),
  balance: 1n,
  setBy: ALL_DEFAULT,
};
const VERSIONS = "versioned_constants: {0.13.2: builtin, 0.13.3: builtin, 0.14.0: builtin}\n";

const DEVNET = readFileSync(join(import.meta.dir, "../../../../../../presets/devnet.yaml"), "utf8");

async function configOf(...overrides: string[]): Promise<ChainConfig> {
  const text = VERSIONS + DEVNET.replace(/^(latest_protocol_version): .*$/m, "$1: 0.13.3");
  return (await loadChainConfig({ text, overrides, role: "sequencer" })).config;
}

function setupOf(folder: string, config: ChainConfig): NodeSetup {
  const l1Prices = fixedL1Prices(gasPriceOptions());
  const files = nodeFiles(folder, null);
  return {
    config,
    files,
    chargeFees: true,
    l1Prices,
    executionMemoryBytes: 768 * 2 ** 20,
    ...ORDINARY_SETUP,
  };
}

/** Starts on a folder; returns the addresses of the development accounts. */
async function start(
  folder: string,
  config: ChainConfig,
  dev: DevAccountOptions | null,
): Promise<readonly bigint[]> {
  const setup = setupOf(folder, config);
  const { files } = setup;
  const prepared = await prepareFolder(setup, dev);
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "reader",
    durability: "full",
  });
  try {
    const chain = createChainReader(database);
    return prepared.accounts(chain.stateAt(0)).map(({ address }) => address);
  } finally {
    database.close();
    prepared.folder.keep();
    prepared.folder.release();
  }
}

async function differencesOf(
  folder: string,
  config: ChainConfig,
  dev: DevAccountOptions | null = DEFAULT_DEV,
): Promise<readonly string[]> {
  try {
    await start(folder, config, dev);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

/** All rows of the chain's database that a start may write. */
function contentsOf(folder: string): unknown {
  using database = new Database(join(folder, "chain.db"), { readonly: true });
  return [
    readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name)),
    database.query("select * from meta order by key").all(),
    database.query("select number, hash from block").all(),
    database.query("pragma user_version").all(),
  ];
}

describe("a chain that exists", () => {
  let folder: TemporaryFolder;
  let made: readonly bigint[];

  beforeAll(async () => {
    folder = temporaryFolder();
    made = await start(folder.path, await configOf(), DEV);
  });
  afterAll(() => folder[Symbol.dispose]());

  test("is distinguished from a new one, with the class of its accounts", async () => {
    using other = temporaryFolder();
    const config = await configOf();
    const first = await prepareFolder(setupOf(other.path, config), DEV);
    first.folder.keep();
    first.folder.release();
    const second = await prepareFolder(setupOf(other.path, config), DEV);
    second.folder.release();
    expect([first.isResumed, second.isResumed, second.nextBlock]).toEqual([false, true, 1]);
    // contracts/l2/artifacts.json
    const accountClass = 0x5ba3f6759bfc240598d51cc49108c3c191c3f3d98f427cd54664b38ee9cb681n;
    expect([first.accountClass, second.accountClass]).toEqual([accountClass, accountClass]);
  });

  test("starts in the first epoch", async () => {
    using database = new Database(join(folder.path, "chain.db"), { readonly: true });
    expect(database.query("select number, epoch from block").all()).toEqual([
      { number: 0, epoch: 0 },
    ]);
  });

  test("keeps its metadata where databases of other versions have it", () => {
    using database = new Database(join(folder.path, "chain.db"), { readonly: true });
    const row = database.query("select value from meta where key = 'node:chain-facts'").get();
    const bytes = (row as { readonly value: Uint8Array }).value;
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ dev_accounts: "3" });
  });

  test("is replaced by a reset only if the new chain can be created", async () => {
    using other = temporaryFolder();
    await start(other.path, await configOf(), DEV);
    const before = contentsOf(other.path);
    const reset = { ...ORDINARY_START, reset: { others: [], home: "/nonexistent/home" } };
    const files = "genesis.classes=[{name: a, sierra: nowhere.json, casm: nowhere.json}]";
    const wrong = setupOf(other.path, await configOf(files, "genesis.contracts={}"));
    const thrown = await prepareFolder(wrong, null, reset).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ConfigError);
    expect(contentsOf(other.path)).toEqual(before);
    const made = await prepareFolder(setupOf(other.path, await configOf()), DEFAULT_DEV, reset);
    made.folder.keep();
    made.folder.release();
    expect([made.isResumed, made.folder.deleted > 0]).toEqual([false, true]);
    expect(await start(other.path, await configOf(), null)).toHaveLength(10);
  });

  test("shows the accounts that it was created with, regardless of defaults", async () => {
    expect(made).toHaveLength(3);
    expect(await start(folder.path, await configOf(), DEFAULT_DEV)).toEqual([...made]);
    expect(await start(folder.path, await configOf(), null)).toEqual([...made]);
  });

  test("accepts the same options again", async () => {
    const setBy = { count: "--dev-accounts", seed: "--dev-seed", balance: "APPCHAIN_DEV_BALANCE" };
    expect(await differencesOf(folder.path, await configOf(), { ...DEV, setBy })).toEqual([]);
  });

  test("refuses other development accounts, each by its option", async () => {
    const setBy = { count: "--dev-accounts", seed: "--dev-seed", balance: "APPCHAIN_DEV_BALANCE" };
    const dev = { count: 4, seed: ownSeed(8n), balance: 6n, setBy };
    expect(await differencesOf(folder.path, await configOf(), dev)).toEqual([
      "--dev-accounts: the chain has 3 development accounts, not 4; omit the option, or create a new chain in another folder",
      "--dev-seed: the chain has accounts of the seed 7, not 8; omit the option, or create a new chain in another folder",
      "APPCHAIN_DEV_BALANCE: the chain has accounts with the balance 5, not 6; omit the option, or create a new chain in another folder",
    ]);
  });

  const NATIVE = "0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d";
  const PARENT = "0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7";
  const refused: readonly [string, readonly string[], readonly string[]][] = [
    [
      "an older protocol version",
      ["latest_protocol_version=0.13.2"],
      [
        "latest_protocol_version: the newest block, 0, has 0.13.3, the configuration 0.13.2: a chain's version never decreases",
      ],
    ],
    [
      "other fee tokens",
      [`native_fee_token_address=${PARENT},parent_fee_token_address=${NATIVE}`],
      [
        `native_fee_token_address: the chain has ${NATIVE}, the configuration ${PARENT}`,
        `parent_fee_token_address: the chain has ${PARENT}, the configuration ${NATIVE}`,
      ],
    ],
    [
      "another genesis",
      ["genesis.balances=[{address: 0x5, token: strk, amount: 1}]"],
      [expect.stringMatching(/^genesis: the chain was made from another \([0-9a-f]{64}\), the /)],
    ],
  ];
  for (const [name, overrides, expected] of refused) {
    test(`refuses ${name} with both values, and writes nothing`, async () => {
      const before = contentsOf(folder.path);
      const config = await configOf(...overrides);
      expect(await differencesOf(folder.path, config)).toEqual([...expected]);
      expect(contentsOf(folder.path)).toEqual(before);
    });
  }

  test("accepts changes that blocks contain themselves or do not depend on", async () => {
    for (const override of [
      "chain_name=Other",
      "sequencer_address=0x777",
      "l1_da_mode=CALLDATA",
      "block_time=3s",
      "bouncer_config={block_max_capacity: {n_txs: 5}}",
      "l2_gas_price={type: fixed, price: 5}",
      "genesis=",
    ]) {
      expect(await differencesOf(folder.path, await configOf(override))).toEqual([]);
    }
  });

  test("accepts a newer protocol version, and the old one again until the newer is used", async () => {
    const newer = await configOf("latest_protocol_version=0.14.0");
    expect(await differencesOf(folder.path, newer)).toEqual([]);
    expect(await differencesOf(folder.path, await configOf())).toEqual([]);
  });

  test("refuses other constants only for a version of its blocks", async () => {
    const config = await configOf();
    const changed = (version: string): ChainConfig => ({
      ...config,
      customConstantsHashes: new Map([[version, "ab12"]]),
    });
    expect(await differencesOf(folder.path, changed("0.13.3"))).toEqual([
      "versioned_constants.0.13.3: the chain's blocks were made with builtin, the configuration has ab12",
    ]);
    expect(await differencesOf(folder.path, changed("0.14.0"))).toEqual([]);
  });
});

test("a chain without blocks can still become another one", async () => {
  using folder = temporaryFolder();
  const empty = await configOf("genesis=");
  await start(folder.path, empty, null);
  const other = await configOf("genesis=", "native_fee_token_address=0x5");
  expect(await differencesOf(folder.path, other, null)).toEqual([]);
});

test("a chain created without development accounts refuses options for them", async () => {
  using folder = temporaryFolder();
  await start(folder.path, await configOf(), null);
  const dev = { ...DEFAULT_DEV, setBy: { ...ALL_DEFAULT, count: "--dev-accounts" } };
  expect(await differencesOf(folder.path, await configOf(), dev)).toEqual([
    "--dev-accounts: the chain has 0 development accounts, not 10; omit the option, or create a new chain in another folder",
  ]);
  expect(await start(folder.path, await configOf(), DEFAULT_DEV)).toEqual([]);
});

test("a folder with blocks but without their key is refused, and nothing is created", async () => {
  using folder: TemporaryFolder = temporaryFolder();
  const config = await configOf();
  await start(folder.path, config, DEV);
  rmSync(join(folder.path, "block-signing.key"));
  const refused = start(folder.path, config, DEV);
  expect(refused).rejects.toThrow("block-signing.key");
  await refused.catch(() => undefined);
  expect(readdirSync(folder.path)).not.toContain("block-signing.key");
});
