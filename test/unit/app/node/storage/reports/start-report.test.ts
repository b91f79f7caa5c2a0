import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { universalDeployers } from "#app/node/storage/folder/chain-contracts.ts";
import { logPrepared, reportChain } from "#app/node/storage/reports/start-report.ts";
import { logNotices } from "#app/node/setup/start-log.ts";
import type { PreparedFolder } from "#app/node/storage/folder/prepared-folder.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import { dangersOf } from "#app/node/storage/reports/dangers.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { buildGenesis } from "#services/sequencer/index.ts";
import { DEVNET_OPTIONS, nodeOptions } from "#test/helpers/node-options.ts";
import { gatewayOptions } from "#test/helpers/options.ts";
import { stateOfDiffs } from "#test/helpers/fake-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const CURRENT_DEPLOYER = 0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n;
const OLDER_DEPLOYER = 0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn;

async function configOf(preset: string, ...overrides: string[]): Promise<ChainConfig> {
  return (await loadChainConfig({ preset, overrides, role: "sequencer" })).config;
}

/** A logger whose lines are kept as `LEVEL message`. */
function logOf(format: "text" | "json" = "json") {
  const lines: string[] = [];
  const write = (line: string, level: string): void => {
    lines.push(`${level} ${(JSON.parse(line) as { message: string }).message}`);
  };
  return { lines, log: createLogger({ level: "info", format: "json", write }), format };
}

const OPTIONS = await nodeOptions({});
const at = (host: string, chargeFee = true) => ({
  rpc: { ...OPTIONS.rpc, host },
  gateway: null,
  chargeFee,
  role: "sequencer" as const,
});

describe("dangers", () => {
  test("are keys that everyone knows on a node that others reach", () => {
    for (const host of [
      "0.0.0.0",
      "::",
      "192.168.1.5",
      "::ffff:10.0.0.1",
      "my-host",
      "127.0.0.1.evil",
      "126.255.255.255",
      "128.0.0.1",
    ]) {
      expect([host, dangersOf(at(host), 2).length]).toEqual([host, 1]);
    }
    expect(dangersOf(at("0.0.0.0"), 2)[0]).toContain("0.0.0.0");
    const gateway = gatewayOptions({ host: "0.0.0.0" });
    expect(dangersOf({ ...at("localhost"), gateway }, 2)).toEqual([
      expect.stringContaining("the gateway listens beyond this machine (0.0.0.0)"),
    ]);
    for (const host of [
      "127.0.0.1",
      "127.1.2.3",
      "127.255.255.254",
      "::1",
      "localhost",
      "LOCALHOST",
      "a.localhost",
      "::ffff:127.0.0.1",
    ]) {
      expect([host, dangersOf(at(host), 2)]).toEqual([host, []]);
    }
    expect(dangersOf(at("0.0.0.0"), 0)).toEqual([]);
  });

  test("are fees that nobody pays", () => {
    expect(dangersOf(at("localhost", false), 0)).toEqual([
      expect.stringContaining("fees are off (--no-charge-fee)"),
    ]);
    // A full node fills no blocks.
    expect(dangersOf({ ...at("localhost", false), role: "full" }, 0)).toEqual([]);
  });

  test("of the configuration are warnings, its other notices are not", () => {
    const { lines, log } = logOf();
    const notices = [
      { code: "SEQUENCER_ADDRESS_REPLACED", message: "replaced" },
      { code: "PUBLIC_CORE_CONTRACT", message: "mistaken" },
      { code: "SOMETHING_ELSE", message: "no effect" },
    ];
    logNotices({ notices }, log);
    expect(lines).toEqual(["warn replaced", "warn mistaken", "info no effect"]);
  });
});

describe("the log says of a folder", () => {
  const prepared = (isResumed: boolean, deleted: number) =>
    ({ folder: { deleted }, nextBlock: 7, isResumed }) as unknown as PreparedFolder;
  const said = (state: PreparedFolder, ephemeral = false): readonly string[] => {
    const { lines, log } = logOf();
    const options = { devnet: null, log: { format: "text" } } as const;
    logPrepared(state, { ...options, basePath: "/data", ephemeral }, log);
    return lines;
  };

  test("the block at which a chain resumes, and how to start fresh", () => {
    expect(said(prepared(true, 0))).toEqual([
      "info resuming block 7; delete /data (or use --reset) to start fresh",
    ]);
  });

  test("that it was reset, or goes with the node", () => {
    expect(said(prepared(false, 0))).toEqual([]);
    expect(said(prepared(false, 3))).toEqual(["info deleted the chain in /data"]);
    expect(said(prepared(false, 0), true)).toEqual([
      "info ephemeral: /data is deleted when the node ends",
    ]);
  });
});

describe("the universal deployer", () => {
  test("of the devnet has the address that SDKs expect", async () => {
    const config = await configOf("devnet");
    const genesis = buildGenesis(config, null, await genesisClassSource(config), { faucet: false });
    const state = stateOfDiffs([genesis?.stateDiff ?? EMPTY_STATE_DIFF]);
    expect(universalDeployers(config, state)).toEqual([CURRENT_DEPLOYER, OLDER_DEPLOYER]);
    expect(universalDeployers({ genesis: null }, state)).toEqual([
      CURRENT_DEPLOYER,
      OLDER_DEPLOYER,
    ]);
  });

  test("elsewhere is found by the genesis section, where the chain has it", async () => {
    const config = await configOf(
      "devnet",
      "genesis.contracts={0x7: {class: universal_deployer}, 0x8: {class: account}, 0x9: {class: universal_deployer}}",
    );
    const state = { classHashAt: (address: bigint) => (address < 9n ? 5n : 0n) };
    expect(universalDeployers(config, state)).toEqual([7n]);
  });
});

describe("a report", () => {
  const account = { address: 0x11n, privateKey: 0x22n, publicKey: 0x33n };

  /** Reports a development chain; returns log lines and the text of the screen. */
  async function reported({ format = "text", configOut = null, ...terminal }: Reported = {}) {
    const chain = await configOf("devnet");
    const { lines, log } = logOf();
    const written: string[] = [];
    const options = {
      ...OPTIONS,
      chain,
      configOut,
      devnet: DEVNET_OPTIONS,
      log: { level: "info", format },
    } as const;
    const genesis = buildGenesis(chain, null, await genesisClassSource(chain), { faucet: false });
    const accountClass = genesis?.classHashes.get("account") ?? null;
    const ready = {
      urls: { rpcUrl: "http://a", metricsUrl: null },
      prepared: { accountClass, accounts: () => [account] },
      started: { database: "/data/chain.db", nextBlock: 1, l1Prices: OLD_PRICES, fork: null },
      state: stateOfDiffs([genesis?.stateDiff ?? EMPTY_STATE_DIFF]),
    };
    const ports = {
      output: {
        isTTY: terminal.isTTY ?? false,
        write: (text: string) => written.push(text),
      },
      environment: terminal.environment ?? {},
      uptimeMs: () => 411.6,
    };
    reportChain(options, ready, ports, log);
    return { lines, screen: written.join("") };
  }

  test("has ids, tokens, class and deployers, on the screen and as JSON", async () => {
    using root = temporaryFolder();
    const configOut = root.file("out.json");
    const { lines, screen } = await reported({ configOut });
    expect(lines).toEqual([]);
    // Class hash: contracts/l2/artifacts.json.
    for (const part of [
      "Chain id      APPCHAIN_DEVNET (0x415050434841494e5f4445564e4554)",
      "Account class 0x05ba3f6759bfc240598d51cc49108c3c191c3f3d98f427cd54664b38ee9cb681",
      "Deployer      0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125",
      "              0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf",
      "STRK token    0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
      "ETH token     0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
    ]) {
      expect(screen).toContain(part);
    }
    expect(JSON.parse(readFileSync(root.file("out.json"), "utf8"))).toMatchObject({
      chain_id: "APPCHAIN_DEVNET",
      chain_id_hex: "0x415050434841494e5f4445564e4554",
      strk_address: "0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
      eth_address: "0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
      account_class_hash: "0x5ba3f6759bfc240598d51cc49108c3c191c3f3d98f427cd54664b38ee9cb681",
      universal_deployer_addresses: [
        "0x2ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125",
        "0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf",
      ],
      accounts: [{ address: "0x11", private_key: "0x22", public_key: "0x33" }],
    });
  });

  test("ends with the ready line, which has the URL and the duration of the start", async () => {
    expect((await reported()).screen).toEndWith("\nready http://a in 412 ms\n");
  });

  test("has colours only on a terminal without NO_COLOR", async () => {
    expect((await reported({ isTTY: true })).screen).toContain("\u001b[1m\u001b[32mready");
    for (const plain of [
      await reported(),
      await reported({ isTTY: true, environment: { NO_COLOR: "1" } }),
      await reported({ isTTY: true, environment: { TERM: "dumb" } }),
    ]) {
      expect(plain.screen).not.toContain("\u001b");
    }
  });

  test("writes no screen with JSON logs", async () => {
    expect(await reported({ format: "json", isTTY: true })).toEqual({ lines: [], screen: "" });
  });
});

interface Reported {
  readonly format?: "text" | "json";
  readonly configOut?: string | null;
  readonly isTTY?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

const OLD_PRICES = { l1GasWei: 128n, l1DataGasWei: 129n };
