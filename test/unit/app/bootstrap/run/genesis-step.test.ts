import { describe, expect, test } from "bun:test";
import { readSettings } from "#app/bootstrap/index.ts";
import type { L2Call, L2Reader } from "#app/bootstrap/l2/l2-reader.ts";
import { genesisContracts, genesisFile } from "#app/bootstrap/plan/genesis.ts";
import { makePlan } from "#app/bootstrap/plan/plan.ts";
import { genesisStep } from "#app/bootstrap/run/genesis-step.ts";
import {
  handoverSteps,
  type LastStepsDeps,
  nativeTokenSteps,
} from "#app/bootstrap/run/last-steps.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { buildGenesis } from "#services/sequencer/index.ts";
import { MAINNET_SETTINGS } from "#test/helpers/bootstrap-settings.ts";

const { settings } = readSettings({ APP_CHAIN_ID: "X" }, true);
const PLAN = makePlan({ settings, firstNonce: 0, l1Token: null, hasGenesis: true });
const FILE = genesisFile(PLAN, settings);
const CONTRACTS = genesisContracts(PLAN, settings);

/** A chain whose block 0 was created from a file, over the preset of a network. */
async function chainOf(text: string): Promise<L2Reader> {
  const { config } = await loadChainConfig({
    text,
    textFrom: "genesis.yaml",
    preset: "mainnet",
    role: "sequencer",
  });
  const source = await genesisClassSource(config);
  const genesis = buildGenesis(config, null, source, { faucet: false });
  const { deployedContracts, storageDiffs } = genesis?.stateDiff ?? {};
  const stored = (address: bigint, key: bigint): bigint =>
    storageDiffs?.get(address)?.get(key) ?? 0n;
  return {
    classAt: (address: bigint) => Promise.resolve(deployedContracts?.get(address)),
    storageAt: (address: bigint, key: bigint) => Promise.resolve(stored(address, key)),
    // Getters of one variable each.
    read: ({ address, functionName }: L2Call) =>
      Promise.resolve([stored(address, storageVariableKey(functionName))]),
  } as unknown as L2Reader;
}

async function stepOver(text: string) {
  return genesisStep({ plan: PLAN, settings, l2: await chainOf(text) }, {});
}

function faultOf(run: Promise<unknown>): Promise<unknown> {
  return run.catch((cause: unknown) => cause);
}

describe("a chain created with the genesis file", () => {
  test("has the deployer and both fee tokens at the addresses of the public networks", async () => {
    const { config } = await loadChainConfig({
      text: FILE,
      textFrom: "genesis.yaml",
      preset: "mainnet",
      role: "sequencer",
    });
    expect([...(config.genesis?.contracts.keys() ?? [])]).toEqual(
      expect.arrayContaining([
        0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn,
        0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n,
        0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn,
        0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n,
      ]),
    );
    expect(config).toMatchObject({
      chainId: "X",
      nativeFeeTokenAddress: PLAN.l2.nativeToken,
      parentFeeTokenAddress: PLAN.l2.ethToken,
    });
  });

  test("needs no transaction on L2", async () => {
    expect(await (await stepOver(FILE)).isDone()).toBe(true);
  });

  test("can have more contracts and balances", async () => {
    const more = `  balances:\n    - { address: "0x5", token: strk, amount: 7 }\n`;
    expect(await (await stepOver(FILE + more)).isDone()).toBe(true);
  });
});

describe("refuses an edited genesis file that changes", () => {
  for (const { address, name, cells } of CONTRACTS) {
    const at = `"${hexFromFelt(address)}":`;
    test(`the class of ${name} ${hexFromFelt(address)}`, async () => {
      const other = name === "erc20" ? "account" : "erc20";
      const text = FILE.replace(`${at}\n      class: ${name}`, `${at}\n      class: ${other}`);
      expect(text).not.toBe(FILE);
      const step = await stepOver(text);
      expect(await faultOf(step.isDone())).toMatchObject({ code: "BOOTSTRAP_OTHER_CONTRACT" });
    });
    for (const { key, value } of cells) {
      test(`storage ${hexFromFelt(key)} of ${hexFromFelt(address)}`, async () => {
        const line = `"${hexFromFelt(key)}": "${hexFromFelt(value)}"`;
        const start = FILE.indexOf(at);
        const place = FILE.indexOf(line, start);
        const text =
          FILE.slice(0, place) + line.replace(/: ".*/, ': "0x5"') + FILE.slice(place + line.length);
        const step = await stepOver(text);
        expect(await faultOf(step.isDone())).toMatchObject({ code: "BOOTSTRAP_OTHER_CONTRACT" });
      });
    }
  }
});

describe("a chain in production", () => {
  const { settings: production } = readSettings(MAINNET_SETTINGS, false);
  const plan = makePlan({ settings: production, firstNonce: 0, l1Token: null, hasGenesis: true });
  const deps = async (given = production) => {
    const l2 = await chainOf(genesisFile(plan, production));
    return { plan, settings: given, l2 } as unknown as LastStepsDeps;
  };

  test("is governed by the multisig from block 0, and needs no transaction on L2", async () => {
    const made = await deps();
    const steps = [
      genesisStep(made, {}),
      ...handoverSteps(made).filter(({ id }) => id.startsWith("l2-")),
      ...nativeTokenSteps(made).filter(({ id }) => id === "native-token"),
    ];
    const states = await Promise.all(steps.map(async ({ id, isDone }) => [id, await isDone()]));
    expect(states).toEqual([
      ["l2-genesis", true],
      ["l2-eth-bridge-handover", true],
      ["l2-token-bridge-handover", true],
      ["native-token", true],
    ]);
    const multisig = [production.production?.l2Multisig ?? 0n];
    for (const address of [plan.l2.ethBridge, plan.l2.tokenBridge]) {
      const governor = { address, functionName: "governor", calldata: [] };
      expect(await made.l2.read(governor)).toEqual(multisig);
    }
  });

  test.each([
    ["another multisig", { ...production.production, l2Multisig: 0x77n }],
    ["--dev", null],
  ])("is refused for %s", async (_, other) => {
    const settings = { ...production, production: other } as typeof production;
    const step = genesisStep(await deps(settings), {});
    expect(await faultOf(step.isDone())).toMatchObject({ code: "BOOTSTRAP_OTHER_CONTRACT" });
  });
});

test("a chain started without the file fails with the instruction to use it", async () => {
  const step = await stepOver("chain_id: X\n");
  expect(await step.isDone()).toBe(false);
  expect(await faultOf(step.act())).toMatchObject({ code: "BOOTSTRAP_GENESIS" });
});
