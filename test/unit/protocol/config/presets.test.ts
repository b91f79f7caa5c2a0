import { describe, expect, test } from "bun:test";
import { chainConfigYaml, loadChainConfig, PRESETS } from "#protocol/config/index.ts";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";

const load = async (preset: string) =>
  (await loadChainConfig({ preset, role: "sequencer" })).config;

describe("presets", () => {
  for (const preset of PRESETS) {
    test(`${preset} is valid and survives writing and reading`, async () => {
      const config = await load(preset);
      const text = await chainConfigYaml(config);
      expect((await loadChainConfig({ text, role: "sequencer" })).config).toEqual(config);
    });
  }

  test("networks have their public identities", async () => {
    const identities = await Promise.all(
      ["mainnet", "sepolia", "integration"].map(async (preset) => {
        const config = await load(preset);
        return [config.chainId, config.ethCoreContractAddress];
      }),
    );
    expect(identities).toEqual([
      ["SN_MAIN", 0xc662c410c0ecf747543f5ba90660f6abebd9c8c4n],
      ["SN_SEPOLIA", 0xe2bb56ee936fd6433dc0f6e7e3b8365c906aa057n],
      ["SN_INTEGRATION_SEPOLIA", 0x4737c0c1b4d5b1a687b42610ddabee781152359cn],
    ]);
  });

  test("networks and devnet use the newest protocol", async () => {
    for (const preset of ["mainnet", "sepolia", "integration", "devnet"]) {
      expect((await load(preset)).latestProtocolVersion).toBe(NEWEST_PROTOCOL_VERSION);
    }
  });

  test("appchain limits steps and has no genesis", async () => {
    const config = await load("appchain");
    expect(config).toMatchObject({
      latestProtocolVersion: "0.13.2",
      blockTimeMs: 30_000,
      pendingBlockUpdateTimeMs: 2000,
      executionBatchSize: 16,
      maxNonceForValidationSkip: 2,
      mempoolMaxTransactionsPerAccount: 1000,
      bouncer: { shape: "steps", capacity: { l1Gas: 5_000_000n, steps: 40_000_000n } },
    });
    expect([...config.versionedConstants.keys()]).toEqual([
      "0.13.0",
      "0.13.1",
      "0.13.1.1",
      "0.13.2",
    ]);
    expect(config.genesis).toBeNull();
  });

  test("devnet creates non-empty blocks on demand at fixed prices", async () => {
    const config = await load("devnet");
    expect(config).toMatchObject({
      chainId: "APPCHAIN_DEVNET",
      blocksOnDemand: true,
      noEmptyBlocks: true,
      l2GasPrice: { type: "fixed" },
    });
    expect(config.genesis).not.toBeNull();
  });

  test("devnet has the deployer at both addresses that SDKs expect", async () => {
    const { genesis } = await load("devnet");
    const classes = [
      0x041a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn,
      0x02ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n,
    ].map((address) => genesis?.contracts.get(address)?.class);
    const deployer = { kind: "name" as const, name: "universal_deployer" };
    expect(classes).toEqual([deployer, deployer]);
  });
});
