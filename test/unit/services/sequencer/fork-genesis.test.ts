import { describe, expect, test } from "bun:test";
import { type ChainConfig, loadChainConfig, PUBLIC_ADDRESSES } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import {
  buildForkGenesis,
  buildGenesis,
  devFaucet,
  type Genesis,
  type OriginValues,
} from "#services/sequencer/index.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const BALANCE = (5n << 128n) + 7n;
const DEV = { count: 2, seed: ownSeed(0n), balance: BALANCE };
const STRK = PUBLIC_ADDRESSES.nativeToken;
const ETH = PUBLIC_ADDRESSES.ethToken;
const TOKEN_CLASS = 0x70cen;
const SUPPLY = storageVariableKey("ERC20_total_supply");

/** State of an origin: class hashes of contracts, storage by address and key, declared classes. */
interface OriginState {
  readonly contracts?: ReadonlyMap<bigint, bigint>;
  readonly storage?: ReadonlyMap<string, bigint>;
  readonly declared?: ReadonlySet<bigint>;
}

const slot = (address: bigint, key: bigint): string => `${address} ${key}`;

function originOf({ contracts, storage, declared }: OriginState): OriginValues {
  const tokens = new Map([
    [STRK, TOKEN_CLASS],
    [ETH, TOKEN_CLASS],
  ]);
  const all = new Map([...tokens, ...(contracts ?? [])]);
  return {
    storageAt: (address, key) => Promise.resolve(storage?.get(slot(address, key)) ?? 0n),
    classHashAt: (address) => Promise.resolve(all.get(address) ?? 0n),
    isDeclared: (classHash) => Promise.resolve(declared?.has(classHash) ?? false),
  };
}

const configOf = async (overrides: readonly string[] = []): Promise<ChainConfig> =>
  (await loadChainConfig({ preset: "devnet", role: "sequencer", overrides })).config;

interface Request {
  readonly dev?: typeof DEV | null;
  readonly faucet?: boolean;
  readonly overrides?: readonly string[];
}

async function forkOf(
  state: OriginState,
  { dev = DEV, faucet = true, overrides = [] }: Request = {},
): Promise<Genesis> {
  const config = await configOf(overrides);
  const source = await genesisClassSource(config);
  const genesis = await buildForkGenesis(config, dev, { source, origin: originOf(state), faucet });
  if (genesis === undefined) throw new TypeError("devnet has a genesis");
  return genesis;
}

/** The genesis of a chain that is no fork, for its classes and accounts. */
async function ordinary(): Promise<Genesis> {
  const config = await configOf();
  const genesis = buildGenesis(config, DEV, await genesisClassSource(config), { faucet: true });
  if (genesis === undefined) throw new TypeError("devnet has a genesis");
  return genesis;
}

const classOf = async (name: string): Promise<bigint> =>
  (await ordinary()).classHashes.get(name) ?? 0n;

const balanceKey = (address: bigint): bigint => storageVariableKey("ERC20_balances", address);

describe("the first block of a fork", () => {
  test("deploys the same accounts as a chain that is no fork, and funds them in both tokens", async () => {
    const { accounts, stateDiff } = await forkOf({});
    const other = await ordinary();
    expect(accounts).toEqual(other.accounts);
    for (const { address } of accounts) {
      expect(stateDiff.deployedContracts.get(address)).toBe(await classOf("account"));
      expect(stateDiff.storageDiffs.get(address)).toEqual(
        other.stateDiff.storageDiffs.get(address),
      );
      for (const token of [STRK, ETH]) {
        const cells = stateDiff.storageDiffs.get(token);
        const key = balanceKey(address);
        expect([cells?.get(key), cells?.get(key + 1n)]).toEqual([7n, 5n]);
      }
    }
  });

  test("writes nothing into the tokens but balances and the supply", async () => {
    const { accounts, stateDiff, classHashes } = await forkOf({});
    const faucet = devFaucet(classHashes.get("account") ?? 0n);
    const addresses = [...accounts.map(({ address }) => address), faucet.address];
    const known = new Set([SUPPLY, ...addresses.map(balanceKey)].flatMap((key) => [key, key + 1n]));
    for (const token of [STRK, ETH]) {
      const keys = [...(stateDiff.storageDiffs.get(token)?.keys() ?? [])];
      expect(keys.filter((key) => !known.has(key))).toEqual([]);
      expect(stateDiff.deployedContracts.has(token)).toBe(false);
    }
  });

  test("raises the total supply by what it adds", async () => {
    const storage = new Map([
      [slot(STRK, SUPPLY), 100n],
      [slot(STRK, SUPPLY + 1n), 1n],
    ]);
    const { stateDiff } = await forkOf({ storage }, { faucet: false });
    const cells = stateDiff.storageDiffs.get(STRK);
    expect([cells?.get(SUPPLY), cells?.get(SUPPLY + 1n)]).toEqual([100n + 14n, 1n + 10n]);
  });

  test("leaves a higher balance, and raises a lower one", async () => {
    const [first, second] = (await ordinary()).accounts.map(({ address }) => balanceKey(address));
    const storage = new Map([
      [slot(STRK, first ?? 0n), 1n],
      [slot(STRK, (first ?? 0n) + 1n), 6n],
      [slot(STRK, second ?? 0n), 7n],
      [slot(STRK, (second ?? 0n) + 1n), 4n],
    ]);
    const { stateDiff } = await forkOf({ storage }, { faucet: false });
    const cells = stateDiff.storageDiffs.get(STRK) ?? new Map<bigint, bigint>();
    expect(cells.has(first ?? 0n)).toBe(false);
    // Its lower half is equal.
    expect(new Set(cells.keys())).toEqual(new Set([(second ?? 0n) + 1n, SUPPLY + 1n]));
    expect(cells.get((second ?? 0n) + 1n)).toBe(5n);
    expect(cells.get(SUPPLY + 1n)).toBe(1n);
  });

  test("writes a zero over a value of the origin", async () => {
    const [account] = (await ordinary()).accounts;
    const key = balanceKey(account?.address ?? 0n);
    const storage = new Map([[slot(STRK, key), 9n]]);
    const dev = { ...DEV, count: 1, balance: 1n << 128n };
    const { stateDiff } = await forkOf({ storage }, { dev, faucet: false });
    expect(stateDiff.storageDiffs.get(STRK)?.get(key)).toBe(0n);
  });

  test("leaves accounts that the origin has as they are, except balances", async () => {
    const [account, other] = (await ordinary()).accounts;
    const contracts = new Map([[account?.address ?? 0n, 0xabcn]]);
    const { stateDiff } = await forkOf({ contracts });
    expect(stateDiff.deployedContracts.has(account?.address ?? 0n)).toBe(false);
    expect(stateDiff.storageDiffs.has(account?.address ?? 0n)).toBe(false);
    expect(stateDiff.storageDiffs.get(STRK)?.has(balanceKey(account?.address ?? 0n))).toBe(true);
    expect(stateDiff.deployedContracts.has(other?.address ?? 0n)).toBe(true);
  });

  test("declares classes only if the origin lacks them, and never that of fee tokens", async () => {
    const account = await classOf("account");
    const udc = await classOf("universal_deployer");
    const all = await forkOf({});
    expect(new Set(all.stateDiff.declaredClasses.keys())).toEqual(new Set([account, udc]));
    expect(new Set(all.classes.map(({ classHash }) => classHash))).toEqual(new Set([account, udc]));
    const declared = new Set([account]);
    expect((await forkOf({ declared })).classes.map(({ classHash }) => classHash)).toEqual([udc]);
  });

  test("deploys a universal deployer where the origin has none", async () => {
    const { universalDeployer, legacyUniversalDeployer } = PUBLIC_ADDRESSES;
    const udc = await classOf("universal_deployer");
    const contracts = new Map([[universalDeployer, 0xabcn]]);
    const { stateDiff } = await forkOf({ contracts });
    expect(stateDiff.deployedContracts.has(universalDeployer)).toBe(false);
    expect(stateDiff.deployedContracts.get(legacyUniversalDeployer)).toBe(udc);
    const both = new Map([...contracts, [legacyUniversalDeployer, 0xabcn] as const]);
    const { classes, stateDiff: none } = await forkOf({ contracts: both });
    expect(none.deployedContracts.has(legacyUniversalDeployer)).toBe(false);
    expect(classes.map(({ classHash }) => classHash)).not.toContain(udc);
  });

  test("funds the faucet in both tokens and gives it no right to mint", async () => {
    const { stateDiff, classHashes } = await forkOf({}, { dev: null });
    const faucet = devFaucet(classHashes.get("account") ?? 0n);
    expect(stateDiff.deployedContracts.has(faucet.address)).toBe(true);
    for (const token of [STRK, ETH]) {
      const cells = stateDiff.storageDiffs.get(token);
      expect(cells?.get(balanceKey(faucet.address))).toBe(10n ** 30n);
      expect([...(cells?.values() ?? [])]).not.toContain(faucet.address);
    }
  });

  test("funds the tokens that the configuration names", async () => {
    const own = 0x5742bn;
    const contracts = new Map([[own, TOKEN_CLASS]]);
    const overrides = [`native_fee_token_address=0x${own.toString(16)}`];
    const { accounts, stateDiff } = await forkOf({ contracts }, { overrides });
    const key = balanceKey(accounts[0]?.address ?? 0n);
    expect(stateDiff.storageDiffs.get(own)?.get(key)).toBe(7n);
    expect(stateDiff.storageDiffs.has(STRK)).toBe(false);
    expect(stateDiff.deployedContracts.has(STRK)).toBe(false);
  });
});

describe("a fork is refused", () => {
  test("when the origin has no native fee token", async () => {
    const fork = forkOf({ contracts: new Map([[STRK, 0n]]) });
    expect(fork).rejects.toThrow(
      "the forked network has no contract at 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d, the native fee token",
    );
    await Bun.sleep(0);
  });

  test("when the origin does not respond", async () => {
    const config = await configOf();
    const source = await genesisClassSource(config);
    const down = () => Promise.reject(new TypeError("down"));
    const origin = { ...originOf({}), classHashAt: down };
    const fork = buildForkGenesis(config, DEV, { source, origin, faucet: true });
    expect(fork).rejects.toThrow("down");
    await Bun.sleep(0);
  });
});

test("a fork without the parent token funds the native one alone", async () => {
  const { stateDiff } = await forkOf({ contracts: new Map([[ETH, 0n]]) });
  expect(stateDiff.storageDiffs.has(STRK)).toBe(true);
  expect(stateDiff.storageDiffs.has(ETH)).toBe(false);
});
