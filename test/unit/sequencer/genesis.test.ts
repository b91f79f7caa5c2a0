import { describe, expect, test } from "bun:test";
import { loadChainConfig } from "#config/index.ts";
import { storageVariableKey } from "#crypto/index.ts";
import { ConfigError } from "#errors/index.ts";
import { shippedOrFile } from "#node/shipped-contracts.ts";
import { buildGenesis, type Genesis } from "#sequencer/index.ts";

const DEV = { count: 3, seed: 0n, balance: (5n << 128n) + 7n };

async function devnet() {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  return config;
}

const genesisOf = async (dev: typeof DEV | null): Promise<Genesis> => {
  const genesis = buildGenesis(await devnet(), dev, shippedOrFile);
  if (genesis === undefined) throw new TypeError("devnet has a genesis");
  return genesis;
};

describe("the genesis of a development chain", () => {
  test("gives the same accounts for the same seed, and others for another", async () => {
    const first = (await genesisOf(DEV)).accounts;
    expect((await genesisOf({ ...DEV, count: 2 })).accounts).toEqual(first.slice(0, 2));
    expect((await genesisOf({ ...DEV, seed: 1n })).accounts).not.toEqual(first);
  });

  test("writes balances in two halves of both tokens", async () => {
    const { accounts, stateDiff } = await genesisOf(DEV);
    const config = await devnet();
    for (const token of [config.nativeFeeTokenAddress, config.parentFeeTokenAddress]) {
      const cells = stateDiff.storageDiffs.get(token);
      const key = storageVariableKey("ERC20_balances", accounts[0]?.address ?? 0n);
      expect([cells?.get(key), cells?.get(key + 1n)]).toEqual([7n, 5n]);
    }
  });

  test("has a supply that is the sum of the balances", async () => {
    const { stateDiff } = await genesisOf(DEV);
    const cells = stateDiff.storageDiffs.get((await devnet()).nativeFeeTokenAddress);
    const key = storageVariableKey("ERC20_total_supply");
    expect([cells?.get(key), cells?.get(key + 1n)]).toEqual([21n, 15n]);
  });

  test("deploys each account with its public key", async () => {
    const { accounts, stateDiff, classHashes } = await genesisOf(DEV);
    for (const { address, publicKey } of accounts) {
      expect(stateDiff.deployedContracts.get(address)).toBe(classHashes.get("account") ?? 0n);
      const cells = stateDiff.storageDiffs.get(address);
      expect([...(cells?.values() ?? [])]).toEqual([publicKey]);
    }
  });

  test("holds no zeros", async () => {
    const { stateDiff } = await genesisOf(DEV);
    for (const cells of stateDiff.storageDiffs.values()) {
      expect([...cells.values()]).not.toContain(0n);
    }
  });
});

describe("a wrong genesis section", () => {
  test("names a contract whose class is not there", async () => {
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
    expect(() => buildGenesis(wrong, null, shippedOrFile)).toThrow(ConfigError);
    expect(() => buildGenesis(wrong, null, shippedOrFile)).toThrow(/0x77.*nowhere/);
  });

  test("names a balance whose token is not there", async () => {
    const config = await devnet();
    const section = config.genesis;
    if (section === null) throw new TypeError("devnet has a genesis");
    const balances = [{ address: 1n, token: "eth" as const, amount: 1n }];
    const wrong = { ...config, genesis: { ...section, contracts: new Map(), balances } };
    expect(() => buildGenesis(wrong, null, shippedOrFile)).toThrow(/balances of eth/);
  });
});
