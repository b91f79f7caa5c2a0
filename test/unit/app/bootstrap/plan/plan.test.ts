import { describe, expect, test } from "bun:test";
import { hash } from "starknet";
import { type BootstrapSettings, overrideLine, readSettings } from "#app/bootstrap/index.ts";
import { CLASSES } from "#app/bootstrap/l2/classes.ts";
import { configHash, makePlan, type PlanInputs } from "#app/bootstrap/plan/plan.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { MAINNET_SETTINGS } from "#test/helpers/bootstrap-settings.ts";

const { settings: development } = readSettings({ APP_CHAIN_ID: "MY_CHAIN" }, true);
const { settings: production } = readSettings(MAINNET_SETTINGS, false);
const planOf = (settings: BootstrapSettings, rest: Partial<PlanInputs> = {}) =>
  makePlan({ settings, firstNonce: 0, l1Token: null, hasGenesis: false, ...rest });

const TOKEN = {
  address: "0xca14007eff0db1f8135f4c25b34de49ab0d42766",
  // The bridge uses the first 31 bytes.
  name: "Ä token of a name that is longer than a felt",
  symbol: "TKN",
  decimals: 6,
} as const;

test("the config hash equals that of Madara's bootstrapper", () => {
  // Madara v0.11, bootstrapper-v2: MADARA_DEVNET with STRK.
  const strk = 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
  expect(
    configHash({ configHashVersion: "StarknetOsConfig3", appChainId: "MADARA_DEVNET" }, strk),
  ).toBe(0x032ee9a5311d00fb7ecb72de6eeeb0352349fa58766e387715342021ac546acan);
});

describe("addresses on L1", () => {
  test("follow from the deployer's nonces", () => {
    // First contracts of anvil's first account, known from every tutorial.
    const { l1, l1Nonces } = planOf(development);
    expect([l1.verifier, l1.coreImplementation, l1.core]).toEqual([
      "0x5fbdb2315678afecb367f032d93f642f64180aa3",
      "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512",
      "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0",
    ]);
    expect(Object.values(l1Nonces)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(planOf(development, { firstNonce: 1 }).l1.verifier).toBe(l1.coreImplementation);
  });

  test("are kept for existing contracts, which take no nonce", () => {
    const { l1, l1Nonces } = planOf(production, { firstNonce: 5, l1Token: TOKEN });
    expect([l1.verifier, l1.token]).toEqual([
      production.production?.verifier ?? "0x",
      TOKEN.address,
    ]);
    expect(l1Nonces).toEqual({
      coreImplementation: 5,
      core: 6,
      ethBridge: 7,
      tokenManager: 8,
      tokenRegistry: 9,
      tokenBridge: 10,
    });
  });
});

describe("addresses on L2, compared with the starknet package", () => {
  const addressOf = (salt: bigint, classHash: bigint, calldata: readonly bigint[], from = 0n) =>
    BigInt(hash.calculateContractAddressFromHash(salt, classHash, [...calldata], from));

  test("are derived for the account, the deployer and its deployments", () => {
    const { l2 } = planOf(development);
    const { l2PublicKey } = development;
    const bridge = CLASSES.token_bridge.classHash;
    expect(l2).toMatchObject({
      account: addressOf(0n, CLASSES.account.classHash, [l2PublicKey]),
      universalDeployer: addressOf(0n, CLASSES.universal_deployer.classHash, []),
      ethBridge: addressOf(feltFromShortString("eth_bridge"), bridge, [l2.account]),
      tokenBridge: addressOf(feltFromShortString("token_bridge"), bridge, [l2.account]),
    });
    expect(l2.ethToken).toBe(
      addressOf(feltFromShortString("eth_token"), CLASSES.erc20.classHash, [
        feltFromShortString("Ether"),
        feltFromShortString("ETH"),
        18n,
        0n,
        0n,
        l2.ethBridge,
        l2.ethBridge,
      ]),
    );
  });

  test("are derived for the native token from the first bytes of its name", () => {
    const { l2, configHash: found } = planOf(development, { l1Token: TOKEN });
    const name = BigInt(`0x${Buffer.from(TOKEN.name).subarray(0, 31).toString("hex")}`);
    const calldata = [name, feltFromShortString("TKN"), 6n, 0n, 0n, l2.tokenBridge, l2.tokenBridge];
    expect(l2.nativeToken).toBe(
      addressOf(BigInt(TOKEN.address), CLASSES.erc20.classHash, calldata, l2.tokenBridge),
    );
    expect(found).toBe(configHash(development, l2.nativeToken));
  });
});

test("the override line contains chain id, core contract and fee tokens", () => {
  const plan = planOf(development);
  const line = overrideLine(plan, "MY_CHAIN");
  const [option, value = ""] = line.split(" ");
  expect(option).toBe("--chain-config-override");
  expect(value.split(",").map((part) => part.split("=")[0] ?? "")).toEqual([
    "chain_id",
    "eth_core_contract_address",
    "native_fee_token_address",
    "parent_fee_token_address",
  ]);
  expect(value).toContain(`eth_core_contract_address=${plan.l1.core},`);
  expect(value).toMatch(/native_fee_token_address=0x[0-9a-f]{64},/);
});
