import { expect, test } from "bun:test";
import { devnetConfig } from "#app/node/devnet/devnet-config.ts";
import { DEVNET_OPTIONS, nodeOptions } from "#test/helpers/node-options.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const OPTIONS = await nodeOptions({});

const METADATA = {
  accountCount: 2,
  accountClass: 0xacn,
  initialBalance: 3n,
  ethClass: 0xe7n,
  strkClass: 0x57n,
};
const PRICES = {
  l1Gas: { wei: 5n, fri: 7n },
  l1DataGas: { wei: 6n, fri: 8n },
  l2Gas: { wei: 9n, fri: 10n },
};

function configOf(
  chain: object,
  blocks: "configured" | "demand" = "configured",
  fork: Parameters<typeof devnetConfig>[1] = null,
) {
  const settings = { chainId: "SN_MAIN", blocksOnDemand: true, blockTimeMs: 20_000, ...chain };
  const options = {
    ...OPTIONS,
    chain: { ...OPTIONS.chain, ...settings },
    devAccounts: OPTIONS.devAccounts && { ...OPTIONS.devAccounts, seed: ownSeed(1n) },
    devnet: { ...DEVNET_OPTIONS, blocks },
    rpc: { ...OPTIONS.rpc, host: "0.0.0.0" },
  };
  return devnetConfig(options, fork, METADATA, PRICES);
}

// Names and forms of starknet-devnet's own test of its configuration (test_config).
test("uses the setting names of starknet-devnet", () => {
  expect(configOf({})).toEqual({
    seed: 1n,
    total_accounts: 2,
    account_contract_class_hash: "0xac",
    predeployed_accounts_initial_balance: "3",
    start_time: null,
    gas_price_wei: 5n,
    gas_price_fri: 7n,
    data_gas_price_wei: 6n,
    data_gas_price_fri: 8n,
    l2_gas_price_wei: 9n,
    l2_gas_price_fri: 10n,
    chain_id: "SN_MAIN",
    dump_on: null,
    dump_path: null,
    state_archive: "full",
    fork_config: { url: null, block_number: null },
    server_config: { host: "0.0.0.0", port: 0, timeout: 120, restricted_methods: null },
    block_generation_on: "transaction",
    lite_mode: false,
    proof_mode: "none",
    class_size_config: {
      maximum_contract_class_size: 4_089_446,
      maximum_contract_bytecode_size: 81_920,
      maximum_sierra_length: 81_920,
    },
    eth_erc20_class_hash: "0xe7",
    strk_erc20_class_hash: "0x57",
  });
});

test("reports block generation as transaction, demand or a number of seconds", () => {
  expect(configOf({}, "demand")["block_generation_on"]).toBe("demand");
  expect(configOf({ blocksOnDemand: false, blockTimeMs: 5_000 })["block_generation_on"]).toBe(5);
});

test("names the block of a fork, and only scheme, host and port of its origin", () => {
  const origins = ["https://origin.example:8443", "https://second.example"];
  const fork = { origins, forkBlock: 12, blockHash: 0xabn };
  expect(configOf({}, "configured", fork)).toHaveProperty("fork_config", {
    url: "https://origin.example:8443/",
    block_number: 12,
    block_hash: "0xab",
  });
});
