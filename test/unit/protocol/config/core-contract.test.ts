import { describe, expect, test } from "bun:test";
import { loadChainConfig, publicCoreContract } from "#protocol/config/index.ts";

const CORE_CONTRACTS = {
  SN_MAIN: "0xc662c410C0ECf747543f5bA90660f6ABeBD9C8c4",
  SN_SEPOLIA: "0xE2Bb56ee936fd6433DC0F6e7e3b8365C906AA057",
  SN_INTEGRATION_SEPOLIA: "0x4737c0c1B4D5b1A687B42610DdabEE781152359c",
} as const;

async function noticesOf(preset: string, ...overrides: string[]) {
  const { notices } = await loadChainConfig({ preset, overrides, role: "full" });
  return notices.filter(({ code }) => code === "PUBLIC_CORE_CONTRACT");
}

describe("notices about core contracts of public networks", () => {
  test.each(Object.entries(CORE_CONTRACTS))(
    "are given for %s under another chain id, naming both",
    async (network, address) => {
      const [notice, ...more] = await noticesOf("devnet", `eth_core_contract_address=${address}`);
      expect(notice?.message).toContain(
        `core contract of ${network}, but the chain id is APPCHAIN_DEVNET`,
      );
      expect(more).toEqual([]);
    },
  );

  test.each(Object.entries(CORE_CONTRACTS))(
    "are not given for %s under its own chain id",
    async (network, address) => {
      const given = [`eth_core_contract_address=${address}`, `chain_id=${network}`];
      expect(await noticesOf("devnet", ...given)).toEqual([]);
    },
  );

  test("are not given for presets unless the chain id is changed", async () => {
    for (const preset of ["appchain", "devnet", "integration", "mainnet", "sepolia"]) {
      expect([preset, await noticesOf(preset)]).toEqual([preset, []]);
    }
    expect(await noticesOf("sepolia", "chain_id=MINE")).toHaveLength(1);
    expect(await noticesOf("devnet", `eth_core_contract_address=0x${"1".repeat(40)}`)).toHaveLength(
      0,
    );
  });
});

test("publicCoreContract knows public networks with their L1 chain", () => {
  expect(publicCoreContract(0xc662c410c0ecf747543f5ba90660f6abebd9c8c4n)).toEqual({
    network: "SN_MAIN",
    l1ChainId: 1,
  });
  expect(publicCoreContract(0xe2bb56ee936fd6433dc0f6e7e3b8365c906aa057n)?.l1ChainId).toBe(
    11_155_111,
  );
  expect(publicCoreContract(0n)).toBeUndefined();
});
