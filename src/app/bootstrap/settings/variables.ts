/** Names of the environment variables of a bootstrap. */
export type VariableName =
  | "APP_CHAIN_ID"
  | "ETH_CHAIN_ID"
  | "ETH_PRIV_KEY"
  | "ETH_RPC"
  | "FEE_TOKEN_ADDRESS"
  | "L1_DEPLOYER_ADDRESS"
  | "L1_WAIT_TIME"
  | "L2_DEPLOYER_ADDRESS"
  | "ROLLUP_PRIV_KEY"
  | "ROLLUP_SEQ_URL"
  | "SN_OS_CONFIG_HASH_VERSION"
  | "SN_OS_PROGRAM_HASH"
  | "CROSS_CHAIN_WAIT_TIME"
  | "L1_MULTISIG_ADDRESS"
  | "L2_MULTISIG_ADDRESS"
  | "VERIFIER_ADDRESS"
  | "OPERATOR_ADDRESS";

/** One environment variable of the bootstrap. */
export interface Variable {
  /** Meaning of the variable, for issues and documentation. */
  readonly meaning: string;
  /** The form of its value. */
  readonly expected: string;
  /** Alternative names, from earlier tools. */
  readonly aliases: readonly string[];
  /** Whether the value is secret: never shown, and readable from the file that `<NAME>_FILE` names. */
  readonly isSecret: boolean;
  /** Default value; `null` without one. */
  readonly fallback: string | null;
  /** When it must be set. */
  readonly required: "always" | "always but on chain 31337" | "unless --dev" | "never";
}

/** L1 chain id of the development chains of anvil and Hardhat. */
export const DEVELOPMENT_CHAIN_ID = 31_337;

/**
 * Default private keys of the bootstrap on a development chain, by variable; they are publicly
 * known.
 */
export const DEVELOPMENT_KEYS = {
  ETH_PRIV_KEY: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  ROLLUP_PRIV_KEY: "0xabcd",
} as const;

const L1_ADDRESS =
  "0x and 40 hexadecimal digits, not all zero; of mixed case only with its checksum (EIP-55)";
const L2_ADDRESS = "0x and 1 to 64 hexadecimal digits, from 1 to below 2^251 - 256";
const FELT = "0x and 1 to 64 hexadecimal digits, below the field's prime";
const URL_FORM = "http:// or https:// address";

const plain = (
  meaning: string,
  expected: string,
  rest: Partial<Pick<Variable, "aliases" | "fallback" | "required">>,
): Variable => ({
  meaning,
  expected,
  aliases: [],
  isSecret: false,
  fallback: null,
  required: "never",
  ...rest,
});

/**
 * All variables, in the order of issues and documentation. Source: Madara's bootstrapper, whose names they
 * use.
 */
export const VARIABLES: Readonly<Record<VariableName, Variable>> = {
  APP_CHAIN_ID: plain(
    "chain id of the new chain, as the sequencer returns it",
    "1 to 31 letters, digits, _, - or ., the first a letter or digit; not a hexadecimal number (0x)",
    { required: "always" },
  ),
  ETH_CHAIN_ID: plain("chain id of L1, as its node returns it", "plain digits, from 1", {
    fallback: String(DEVELOPMENT_CHAIN_ID),
  }),
  ETH_RPC: plain("JSON-RPC address of an L1 node", URL_FORM, {
    fallback: "http://127.0.0.1:8545",
  }),
  ROLLUP_SEQ_URL: plain("JSON-RPC address of the sequencer", URL_FORM, {
    fallback: "http://127.0.0.1:9944",
  }),
  ETH_PRIV_KEY: {
    meaning: "private key of the account on L1 that deploys and pays",
    expected: "0x and 64 hexadecimal digits, from 1 to below the order of secp256k1",
    aliases: ["ETH_PRIVATE_KEY"],
    isSecret: true,
    fallback: null,
    required: "always but on chain 31337",
  },
  ROLLUP_PRIV_KEY: {
    meaning: "private key of the account on L2 that is deployed first and deploys the rest",
    expected: "0x and 1 to 64 hexadecimal digits, from 1 to below the order of the Stark curve",
    aliases: ["ROLLUP_PRIVATE_KEY"],
    isSecret: true,
    fallback: null,
    required: "always but on chain 31337",
  },
  L1_DEPLOYER_ADDRESS: plain("address of ETH_PRIV_KEY, to verify the key", L1_ADDRESS, {}),
  L2_DEPLOYER_ADDRESS: plain(
    "account address of ROLLUP_PRIV_KEY, to verify the key",
    L2_ADDRESS,
    {},
  ),
  FEE_TOKEN_ADDRESS: plain(
    "expected address of the native fee token on L2, to verify it: the one of --plan",
    L2_ADDRESS,
    {},
  ),
  VERIFIER_ADDRESS: plain(
    "contract on L1 that the core contract queries for facts (isValid)",
    L1_ADDRESS,
    { required: "unless --dev" },
  ),
  OPERATOR_ADDRESS: plain(
    "account on L1 that may update the state; default: nobody, with --dev the deployer",
    L1_ADDRESS,
    {},
  ),
  L1_MULTISIG_ADDRESS: plain("final governor of the contracts on L1", L1_ADDRESS, {
    required: "unless --dev",
  }),
  L2_MULTISIG_ADDRESS: plain("final governor of the bridges on L2", L2_ADDRESS, {
    required: "unless --dev",
  }),
  SN_OS_PROGRAM_HASH: plain("hash of the Starknet OS that proves the chain", FELT, {
    fallback: "0x41fc2a467ef8649580631912517edcab7674173f1dbfa2e9b64fbcd82bc4d79",
  }),
  SN_OS_CONFIG_HASH_VERSION: plain(
    "version in the hash of the OS's configuration",
    "1 to 31 letters and digits, such as StarknetOsConfig3",
    { fallback: "StarknetOsConfig1", aliases: ["CONFIG_HASH_VERSION"] },
  ),
  L1_WAIT_TIME: plain(
    "deadline for a transaction on L1 or L2",
    "seconds as plain digits, from 1 to 86400",
    { fallback: "15" },
  ),
  CROSS_CHAIN_WAIT_TIME: plain(
    "deadline for the effect of an L1 message on L2",
    "seconds as plain digits, from 1 to 86400",
    { fallback: "80" },
  ),
};
