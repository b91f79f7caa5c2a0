import { readSettings } from "#app/bootstrap/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { ANVIL_OTHER_KEYS } from "./anvil.ts";

/** Key of the second account that anvil funds. */
export const [L1_KEY] = ANVIL_OTHER_KEYS;
/** Address of {@link L1_KEY}, as Foundry's documents list it. */
const L1_DEPLOYER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** Private key of an L2 account, as 0x hex. */
export const L2_KEY = "0x1234567890abcdef1234567890abcdef";

/** Environment variables of a bootstrap on Ethereum's mainnet. */
export const MAINNET_SETTINGS: Readonly<Record<string, string>> = {
  APP_CHAIN_ID: "MY_CHAIN",
  ETH_CHAIN_ID: "1",
  ETH_RPC: "https://user:pass@l1.example/v3/api-key-of-mine",
  ROLLUP_SEQ_URL: "http://127.0.0.1:9944",
  ETH_PRIV_KEY: L1_KEY,
  ROLLUP_PRIV_KEY: L2_KEY,
  L1_DEPLOYER_ADDRESS: L1_DEPLOYER,
  FEE_TOKEN_ADDRESS: "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
  VERIFIER_ADDRESS: "0x47312450B3Ac8b5b8e247a6bB6d523e7605bDb60",
  OPERATOR_ADDRESS: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  L1_MULTISIG_ADDRESS: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  L2_MULTISIG_ADDRESS: "0x556455b8ac8bc00e0ad061d7df5458fa3c372304877663fa21d492a8d5e9435",
  SN_OS_PROGRAM_HASH: "0x41fc2a467ef8649580631912517edcab7674173f1dbfa2e9b64fbcd82bc4d79",
  SN_OS_CONFIG_HASH_VERSION: "StarknetOsConfig3",
  L1_WAIT_TIME: "15",
  CROSS_CHAIN_WAIT_TIME: "80",
};

/**
 * Reads bootstrap settings from an environment.
 *
 * @returns the issues found, one per line; none if all settings are valid
 */
export function findings(
  environment: Readonly<Record<string, string | undefined>>,
  isDevelopment = false,
): readonly string[] {
  try {
    readSettings(environment, isDevelopment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message}`);
  }
}
