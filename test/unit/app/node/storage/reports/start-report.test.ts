import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { readFileSync } from "node:fs";
import { universalDeployers } from "#app/node/storage/folder/chain-contracts.ts";
import { chainLines } from "#app/node/storage/reports/dev-report.ts";
import { logPrepared, reportChain } from "#app/node/storage/reports/start-report.ts";
import { logNotices } from "#app/node/metrics/start-log.ts";
import type { PreparedFolder } from "#app/node/storage/folder/prepared-folder.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import { dangersOf } from "#app/node/metrics/warnings.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { type ChainConfig, loadChainConfig } from "#protocol/config/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { buildGenesis } from "#services/sequencer/index.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { stateOfDiffs } from "#test/helpers/fake-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const CURRENT_DEPLOYER = 0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n;
const OLDER_DEPLOYER = 0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn;

async function configOf(preset: string, ...overrides: string[]): Promise<ChainConfig> {
  return (await loadChainConfig({ preset, overrides, role: "sequencer" })).config;
}

/** A logger that records its lines as `LEVEL message`. */
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
  test("include well-known keys on a node that others can reach", () => {
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
    const gateway = { host: "0.0.0.0", port: 0, rateLimit: null };
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

  test("include disabled fees", () => {
    expect(dangersOf(at("localhost", false), 0)).toEqual([
      expect.stringContaining("fees are off (--no-charge-fee)"),
    ]);
    // A full node produces no blocks.
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

describe("the folder log", () => {
  const prepared = (isResumed: boolean, deleted: number) =>
    ({ folder: { deleted }, nextBlock: 7, isResumed }) as unknown as PreparedFolder;
  const said = (state: PreparedFolder, ephemeral = false): readonly string[] => {
    const { lines, log } = logOf();
    logPrepared(state, { basePath: "/data", ephemeral }, log);
    return lines;
  };

  test("names the block to resume at, and how to start fresh", () => {
    expect(said(prepared(true, 0))).toEqual([
      "info resuming block 7; delete /data (or use --reset) to start fresh",
    ]);
  });

  test("reports a reset, and an ephemeral folder", () => {
    expect(said(prepared(false, 0))).toEqual([]);
    expect(said(prepared(false, 3))).toEqual(["info deleted the chain in /data"]);
    expect(said(prepared(false, 0), true)).toEqual([
      "info ephemeral: /data is deleted when the node ends",
    ]);
  });
});

describe("universal deployers", () => {
  test("of the devnet have the addresses that SDKs expect", async () => {
    const config = await configOf("devnet");
    const genesis = buildGenesis(config, null, await genesisClassSource(config), { faucet: false });
    const state = stateOfDiffs([genesis?.stateDiff ?? EMPTY_STATE_DIFF]);
    expect(universalDeployers(config, state)).toEqual([CURRENT_DEPLOYER, OLDER_DEPLOYER]);
    expect(universalDeployers({ genesis: null }, state)).toEqual([
      CURRENT_DEPLOYER,
      OLDER_DEPLOYER,
    ]);
  });

  test("elsewhere are those of the genesis section that the chain has", async () => {
    const config = await configOf(
      "devnet",
      "genesis.contracts={0x7: {class: universal_deployer}, 0x8: {class: account}, 0x9: {class: universal_deployer}}",
    );
    const state = { classHashAt: (address: bigint) => (address < 9n ? 5n : 0n) };
    expect(universalDeployers(config, state)).toEqual([7n]);
  });
});

describe("the start report", () => {
  const written = spyOn(process.stdout, "write");
  afterEach(() => written.mockReset());

  test("shows ids, tokens, class and deployers, on the terminal and as JSON", async () => {
    using root = temporaryFolder();
    written.mockImplementation(() => true);
    const chain = await configOf("devnet");
    const { lines, log } = logOf();
    const configOut = root.file("out.json");
    const options = {
      ...OPTIONS,
      chain,
      configOut,
      log: { level: "info", format: "text" },
    } as const;
    const genesis = buildGenesis(chain, null, await genesisClassSource(chain), { faucet: false });
    const accountClass = genesis?.classHashes.get("account") ?? null;
    const account = { address: 0x11n, privateKey: 0x22n, publicKey: 0x33n };
    const prepared = { accountClass, accounts: () => [account] };
    const state = stateOfDiffs([genesis?.stateDiff ?? EMPTY_STATE_DIFF]);
    reportChain(options, { rpcUrl: "http://a", metricsUrl: null }, prepared, state, log);
    expect(lines).toEqual([]);
    const banner = written.mock.calls.map(([text]) => String(text)).join("");
    // Class hash: contracts/l2/artifacts.json.
    for (const part of [
      "APPCHAIN_DEVNET (0x415050434841494e5f4445564e4554)",
      "Account class:       0x05ba3f6759bfc240598d51cc49108c3c191c3f3d98f427cd54664b38ee9cb681",
      "Universal deployer:  0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125",
      "Universal deployer:  0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf",
      "STRK fee token:      0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
      "ETH fee token:       0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
    ]) {
      expect(banner).toContain(part);
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

  test("omits class and deployers that the chain lacks", async () => {
    const chain = await configOf("mainnet");
    const lines = chainLines(chain, { accountClass: null, universalDeployers: [] });
    expect(lines.join("\n")).toContain("SN_MAIN (0x534e5f4d41494e)");
    expect(lines.join("\n")).not.toMatch(/class|deployer/);
  });
});
