import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import { buildGenesis, type Genesis } from "#services/sequencer/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const DEV = { count: 3, seed: ownSeed(0n), balance: (5n << 128n) + 7n };

async function devnet() {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  return config;
}

const genesisOf = async (dev: typeof DEV | null): Promise<Genesis> => {
  const config = await devnet();
  const genesis = buildGenesis(config, dev, await genesisClassSource(config), { faucet: false });
  if (genesis === undefined) throw new TypeError("devnet has a genesis");
  return genesis;
};

describe("the genesis of a development chain", () => {
  test("gives the same accounts for the same seed, and others for another", async () => {
    const first = (await genesisOf(DEV)).accounts;
    expect((await genesisOf({ ...DEV, count: 2 })).accounts).toEqual(first.slice(0, 2));
    expect((await genesisOf({ ...DEV, seed: ownSeed(1n) })).accounts).not.toEqual(first);
  });

  test("writes balances in two halves in both tokens", async () => {
    const { accounts, stateDiff } = await genesisOf(DEV);
    const config = await devnet();
    for (const token of [config.nativeFeeTokenAddress, config.parentFeeTokenAddress]) {
      const cells = stateDiff.storageDiffs.get(token);
      const key = storageVariableKey("ERC20_balances", accounts[0]?.address ?? 0n);
      expect([cells?.get(key), cells?.get(key + 1n)]).toEqual([7n, 5n]);
    }
  });

  test("has a total supply equal to the sum of the balances", async () => {
    const { stateDiff } = await genesisOf(DEV);
    const cells = stateDiff.storageDiffs.get((await devnet()).nativeFeeTokenAddress);
    const key = storageVariableKey("ERC20_total_supply");
    expect([cells?.get(key), cells?.get(key + 1n)]).toEqual([21n, 15n]);
  });

  test("names the fee token", async () => {
    const { stateDiff } = await genesisOf(DEV);
    const cells = stateDiff.storageDiffs.get((await devnet()).nativeFeeTokenAddress);
    expect(cells?.get(storageVariableKey("ERC20_symbol"))).toBe(0x5354524bn);
    expect(cells?.get(storageVariableKey("ERC20_decimals"))).toBe(18n);
  });

  test("keeps the section's storage values of a token", async () => {
    const config = await devnet();
    const section = config.genesis;
    if (section === null) throw new TypeError("devnet has a genesis");
    const strk = config.nativeFeeTokenAddress;
    const token = section.contracts.get(strk);
    if (token === undefined) throw new TypeError("devnet has a token");
    const storage = new Map([[storageVariableKey("ERC20_symbol"), 0x4d494e45n]]);
    const contracts = new Map([...section.contracts, [strk, { ...token, storage }]]);
    const made = { ...config, genesis: { ...section, contracts } };
    const built = buildGenesis(made, null, await genesisClassSource(made), { faucet: false });
    const cells = built?.stateDiff.storageDiffs.get(strk);
    expect(cells?.get(storageVariableKey("ERC20_symbol"))).toBe(0x4d494e45n);
    expect(cells?.get(storageVariableKey("ERC20_decimals"))).toBe(18n);
  });

  test("deploys each account with its public key", async () => {
    const { accounts, stateDiff, classHashes } = await genesisOf(DEV);
    for (const { address, publicKey } of accounts) {
      expect(stateDiff.deployedContracts.get(address)).toBe(classHashes.get("account") ?? 0n);
      const cells = stateDiff.storageDiffs.get(address);
      expect([...(cells?.values() ?? [])]).toEqual([publicKey]);
    }
  });

  test("contains no zeros", async () => {
    const { stateDiff } = await genesisOf(DEV);
    for (const cells of stateDiff.storageDiffs.values()) {
      expect([...cells.values()]).not.toContain(0n);
    }
  });
});

async function refusalOf(config: ChainConfig): Promise<ConfigError | undefined> {
  try {
    buildGenesis(config, null, await genesisClassSource(config), { faucet: false });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error;
  }
  return undefined;
}

async function issuesOf(config: ChainConfig): Promise<readonly string[]> {
  return ((await refusalOf(config))?.issues ?? []).map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

describe("a wrong genesis section", () => {
  test("is reported with every unreadable class together", async () => {
    const folder = temporaryFolder();
    writeFileSync(folder.file("no.json"), "{}");
    const [sierraPath, casmPath] = [folder.file("no.json"), folder.file("none.json")];
    const config = await devnet();
    const classes = [
      { name: "a", source: { kind: "files", sierraPath, casmPath: null } },
      { name: "b", source: { kind: "files", sierraPath, casmPath } },
      { name: "c", source: { kind: "files", sierraPath, casmPath: sierraPath } },
      { name: "d", source: { kind: "files", sierraPath: "/dev/zero", casmPath } },
    ] as const;
    const genesis = { classes, contracts: new Map(), balances: [] };
    expect(await issuesOf({ ...config, genesis })).toEqual([
      expect.stringContaining(`genesis.classes[0]: ${sierraPath} is not a class: `),
      `genesis.classes[1]: ${casmPath} cannot be read`,
      expect.stringContaining("genesis.classes[2]: c is not a class"),
      "genesis.classes[3]: /dev/zero is not a file of at most 67108864 bytes",
    ]);
    expect((await refusalOf({ ...config, genesis }))?.message).toBe(
      "the genesis section: 4 problems",
    );
    folder[Symbol.dispose]();
  });

  test("names a contract whose class is missing", async () => {
    const config = await devnet();
    const section = config.genesis;
    if (section === null) throw new TypeError("devnet has a genesis");
    const contracts = new Map([
      [
        0x77n,
        {
          class: { kind: "name", name: "nowhere" } as const,
          nonce: 0n,
          storage: new Map<bigint, bigint>(),
        },
      ],
    ]);
    const wrong = { ...config, genesis: { ...section, contracts } };
    expect(await issuesOf(wrong)).toEqual([
      "genesis.contracts.0x77.class: nowhere is not one of genesis.classes",
    ]);
    expect((await refusalOf(wrong))?.message).toBe("the genesis section: 1 problem");
  });

  test("names a balance whose token is missing", async () => {
    const config = await devnet();
    const section = config.genesis;
    if (section === null) throw new TypeError("devnet has a genesis");
    const balances = [{ address: 1n, token: "eth" as const, amount: 1n }];
    const wrong = { ...config, genesis: { ...section, contracts: new Map(), balances } };
    const source = await genesisClassSource(wrong);
    expect(() => buildGenesis(wrong, null, source, { faucet: false })).toThrow(/balances of eth/);
  });
});
