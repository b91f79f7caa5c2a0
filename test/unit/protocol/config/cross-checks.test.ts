import { describe, expect, test } from "bun:test";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import { loadChainConfig, PRESETS } from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { findingsOf, SMALL } from "./findings.ts";

const FORM = "expected 1 to 31 letters, digits, _, - or ., the first a letter or digit, got";

describe("chain id", () => {
  for (const id of [
    "../../../x",
    "..",
    ".",
    "/etc",
    "a/b",
    "a\\b",
    "-x",
    "a b",
    "ä",
    "x".repeat(32),
  ]) {
    test(`rejects ${id}, as it names the data directory`, async () => {
      const text = SMALL.replace("SMALL", JSON.stringify(id));
      expect(await findingsOf(text)).toEqual([`2 chain_id: ${FORM} "${id}"`]);
    });
  }

  test("accepts the ids of networks", async () => {
    for (const id of ["SN_MAIN", "SN_INTEGRATION_SEPOLIA", "my-chain.2", "7"]) {
      expect(await findingsOf(SMALL.replace("SMALL", id))).toEqual([]);
    }
  });
});

describe("chain name", () => {
  test("rejects escape codes, bidirectional marks and line breaks", async () => {
    for (const name of ["\\e[31mred", "a\\nb", "a\\u202eb", "a\\x9b31m", "a\\u2028b", ""]) {
      const found = await findingsOf(SMALL.replace("Small", `"${name}"`));
      expect(found).toEqual([expect.stringContaining("1 chain_name: expected text of 1 to 100")]);
    }
    expect(await findingsOf(SMALL.replace("Small", "Größe 链 🚀"))).toEqual([]);
    expect(await findingsOf(SMALL.replace("Small", "x".repeat(101)))).toHaveLength(1);
  });
});

describe("fee token addresses", () => {
  test("must not be zero", async () => {
    expect(await findingsOf(SMALL.replace("0x10", "0x0").replace("0x20", "0x00"))).toEqual([
      '3 native_fee_token_address: expected address (0x hex above zero, below 2^251), got "0x0"',
      '4 parent_fee_token_address: expected address (0x hex above zero, below 2^251), got "0x00"',
    ]);
  });

  test("must differ, reported where the second was set", async () => {
    expect(await findingsOf(SMALL.replace("0x20", "0x0010"))).toEqual([
      "4 parent_fee_token_address: expected another address than native_fee_token_address, got 0x10",
    ]);
    expect(await findingsOf(SMALL, "native_fee_token_address=0x20")).toEqual([
      "0 native_fee_token_address: expected another address than parent_fee_token_address, got 0x20 (from --chain-config-override)",
    ]);
  });
});

describe("Ethereum addresses", () => {
  const withCore = (address: string): string => `${SMALL}eth_core_contract_address: ${address}\n`;
  const full = "e7f1725E7734CE288F8367e1Bb143E90bb3F0512";

  test("must have all digits or be 0x0", async () => {
    expect(await findingsOf(withCore(`0x${full}`))).toEqual([]);
    expect(await findingsOf(withCore("0x0"))).toEqual([]);
    for (const wrong of [
      `0x${full.slice(1)}`,
      `0x${full}0`,
      full,
      "0x1",
      "0x",
      `"0x${full.slice(1)}g"`,
    ]) {
      expect(await findingsOf(withCore(wrong))).toHaveLength(1);
    }
  });
});

describe("latest_protocol_version", () => {
  const listed = `${SMALL}versioned_constants:\n  0.13.1: builtin\n  0.13.2: builtin\n`;

  test("must be listed in versioned_constants", async () => {
    expect(await findingsOf(`${listed}latest_protocol_version: 0.14.0\n`)).toEqual([
      '9 latest_protocol_version: expected a version in versioned_constants (0.13.1, 0.13.2), got "0.14.0"',
    ]);
    expect(await findingsOf(listed)).toEqual([
      `0 latest_protocol_version: expected a version in versioned_constants (0.13.1, 0.13.2), got "${NEWEST_PROTOCOL_VERSION}"`,
    ]);
    expect(await findingsOf(`${listed}latest_protocol_version: 0.13.1\n`)).toEqual([]);
  });
});

describe("the genesis section", () => {
  const genesis = (more: string): string => `${SMALL}genesis:\n${more}`;

  test("lists the shipped contracts for an unknown one", async () => {
    expect(await findingsOf(genesis("  classes: [{name: a, builtin: acount}]\n"))).toEqual([
      '7 genesis.classes[0].builtin: expected account or fee_token or erc20 or universal_deployer or token_bridge, got "acount"',
    ]);
  });

  test("requires the token contract for balances, with the line of each", async () => {
    const text = genesis(
      "  classes: [{name: t, builtin: erc20}]\n  contracts: {0x20: {class: t}}\n  balances:\n    - {address: 0x1, token: eth, amount: 1}\n    - {address: 0x1, token: strk, amount: 1}\n",
    );
    expect(await findingsOf(text)).toEqual([
      "11 genesis.balances[1].token: balances of strk need the token's contract 0x10 in genesis.contracts",
    ]);
  });

  test("rejects balances above the maximum of a token", async () => {
    const half = (1n << 255n).toString();
    const balance = `    - {address: 0x1, token: eth, amount: ${half}}\n`;
    const text = genesis(
      `  classes: [{name: t, builtin: erc20}]\n  contracts: {0x20: {class: t}}\n  balances:\n${balance}${balance}`,
    );
    expect(await findingsOf(text)).toEqual([
      "11 genesis.balances[1].amount: the balances of eth add up to more than 2^256 - 1",
    ]);
  });

  test("checks the ranges of addresses, keys and class names", async () => {
    const text = genesis(
      "  classes:\n    - {name: 0x5, builtin: erc20}\n    - {name: t, builtin: erc20}\n  contracts:\n    0x0: {class: t}\n    0x1: {class: t, storage: {0x800000000000000000000000000000000000000000000000000000000000000: 1}}\n    0x02: {class: t}\n    0x2: {class: t}\n",
    );
    expect((await findingsOf(text)).map((line) => line.slice(0, line.indexOf(":")))).toEqual([
      "8 genesis.classes[0].name",
      "11 genesis.contracts.0x0",
      "12 genesis.contracts.0x1.storage.0x800000000000000000000000000000000000000000000000000000000000000",
      "14 genesis.contracts.0x2",
    ]);
  });
});

describe("block limits", () => {
  test("must not be zero in either shape", async () => {
    const capacity = (text: string): string =>
      `${SMALL}bouncer_config:\n  block_max_capacity: {${text}}\n`;
    const steps = "gas: 0, n_steps: 0, state_diff_size: 0, builtin_count: {pedersen: 0}";
    expect(await findingsOf(capacity(steps))).toHaveLength(4);
    const current = "sierra_gas: 0, n_txs: 0, n_events: 0, l1_gas: 0, proving_gas: 0";
    expect(await findingsOf(capacity(current))).toHaveLength(5);
  });

  const ofOther = (other: string, own: string, name: string): string =>
    `0 bouncer_config.block_max_capacity.${name}: belongs to the shape of block_max_capacity with ${other}; the one in use here has ${own} (from --chain-config-override)`;
  const SEED = "builtin_count, gas, n_steps";
  const CURRENT = "l1_gas, n_txs, proving_gas, receipt_l2_gas, sierra_gas";

  async function presetFindings(preset: string, override: string): Promise<readonly string[]> {
    try {
      await loadChainConfig({ preset, overrides: [override], role: "sequencer" });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.issues.map(({ path, line, message }) => `${line} ${path}: ${message}`);
    }
    return [];
  }

  test("reject an override of the other shape in one message that names the shape in use", async () => {
    for (const preset of ["devnet", "mainnet", "sepolia", "integration"]) {
      for (const name of ["n_steps", "gas", "builtin_count"]) {
        const override = `bouncer_config.block_max_capacity.${name}=100`;
        expect(await presetFindings(preset, override)).toEqual([ofOther(SEED, CURRENT, name)]);
      }
    }
    for (const name of ["sierra_gas", "n_txs"]) {
      const override = `bouncer_config.block_max_capacity.${name}=100`;
      expect(await presetFindings("appchain", override)).toEqual([ofOther(CURRENT, SEED, name)]);
    }
  });

  test("accept an override that exists in both shapes with every preset", async () => {
    for (const preset of PRESETS) {
      expect(
        await presetFindings(preset, "bouncer_config.block_max_capacity.n_events=100"),
      ).toEqual([]);
    }
  });

  test("accept another shape if an override replaces all limits", async () => {
    const whole = "bouncer_config.block_max_capacity={gas: 1, n_steps: 2, state_diff_size: 3}";
    expect(await presetFindings("mainnet", whole)).toEqual([]);
  });

  test("name the fields of the other shape in a file with both", async () => {
    const text = `${SMALL}bouncer_config:\n  block_max_capacity: {gas: 1, n_steps: 2, sierra_gas: 3, state_diff_size: 4}\n`;
    expect(await findingsOf(text)).toEqual([
      expect.stringContaining(
        "7 bouncer_config.block_max_capacity.sierra_gas: belongs to the shape",
      ),
    ]);
  });
});
