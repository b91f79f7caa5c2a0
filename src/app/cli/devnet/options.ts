import {
  BLOCK_GENERATION_FORM,
  choiceOption,
  devnetOptions,
  FORK_BLOCK_FORM,
  MAX_START_TIME,
  nodeOptions,
  type Option,
  portOption,
  readBigint,
  readBlockGeneration,
  readForkBlock,
  readInteger,
  readText,
  readUrl,
  switchOption,
  U128_MAX,
  valueOption,
} from "#app/options/index.ts";

const group = "starknet-devnet";

const MAX_TIMEOUT_SECONDS = 3_600;

/** Default price of each gas in each unit, the same as starknet-devnet's. */
const DEFAULT_PRICE = 1_000_000_000n;

/**
 * Class limits that starknet-devnet lets its user set; here they are fixed at those of the public networks.
 */
const CLASS_LIMITS = {
  "maximum-contract-class-size": 4_089_446,
  "maximum-contract-bytecode-size": 81_920,
  "maximum-sierra-length": 81_920,
} as const;

function limit(flag: keyof typeof CLASS_LIMITS, value: string) {
  const fixed = CLASS_LIMITS[flag];
  return valueOption(
    { flag, value, group, summary: `fixed at the limit of the public networks, ${fixed}` },
    `${fixed}: the limits of the public networks are fixed`,
    readInteger(fixed, fixed),
    fixed,
  );
}

type PriceOption = Option<bigint | null>;

const { gasPrices, dump } = devnetOptions;

/** A price option under its older name. */
function price(option: PriceOption): PriceOption {
  return { ...option, group, summary: option.summary.replace(" of --preset devnet", "") };
}

/** @param flag - starknet-devnet's current name */
function defaultPrice(flag: string, option: PriceOption) {
  return { ...price(option), flag, fallback: DEFAULT_PRICE, defaultText: String(DEFAULT_PRICE) };
}

/**
 * The options of starknet-devnet 0.10.1, under the names of `starknet-devnet --help`; `-wei` forms are from
 * earlier versions.
 */
export const devnetCommandOptions = {
  accounts: valueOption(
    { flag: "accounts", value: "NUMBER", group, summary: "funded accounts" },
    "integer from 0 to 100000",
    readInteger(0, 100_000),
    10,
  ),
  accountClass: choiceOption(
    {
      flag: "account-class",
      value: "ACCOUNT_CLASS",
      group,
      summary: "class of the funded accounts; cairo1 is the one included in the program",
      expected:
        "cairo1: the program includes no Cairo 0 account; load one with --account-class-custom",
    },
    ["cairo1"],
    "cairo1",
  ),
  accountClassCustom: valueOption(
    {
      flag: "account-class-custom",
      value: "PATH",
      group,
      summary: "Sierra or Cairo 0 class of the funded accounts",
    },
    "a file",
    readText,
    null,
  ),
  predeclareArgent: switchOption({
    flag: "predeclare-argent",
    group,
    summary:
      "refused: the program does not include Argent's classes; --predeclare-class loads files",
  }),
  predeclareClass: valueOption(
    {
      flag: "predeclare-class",
      value: "PATH",
      group,
      summary: "Sierra or Cairo 0 class to declare in block 0, or a folder of Sierra classes",
    },
    "a file or a folder",
    readText,
    null,
  ),
  systemClasses: { ...nodeOptions.systemClasses, group },
  initialBalance: valueOption(
    {
      flag: "initial-balance",
      short: "e",
      value: "DECIMAL_VALUE",
      group,
      summary: "balance of each funded account, in wei of ETH and fri of STRK",
    },
    "integer below 2^128",
    readBigint(U128_MAX),
    1_000_000_000_000_000_000_000n,
  ),
  seed: {
    ...nodeOptions.devAccounts.devnetSeed,
    group,
    summary: "seed of the keys of funded accounts",
    defaultText: "a random one",
  },
  host: valueOption(
    { flag: "host", value: "HOST", group, summary: "address to listen on" },
    "a host name or address",
    readText,
    "127.0.0.1",
  ),
  port: portOption({ flag: "port", group, summary: "JSON-RPC port" }, 5_050),
  startTime: valueOption(
    { flag: "start-time", value: "SECONDS", group, summary: "Unix time of the first block" },
    "seconds from 0 on",
    readInteger(0, MAX_START_TIME),
    null,
  ),
  timeout: valueOption(
    { flag: "timeout", value: "SECONDS", group, summary: "deadline of a request" },
    `seconds from 1 to ${MAX_TIMEOUT_SECONDS}`,
    readInteger(1, MAX_TIMEOUT_SECONDS),
    120,
  ),
  gasPrice: defaultPrice("gas-price", gasPrices.l1Gas.wei),
  gasPriceWei: price(gasPrices.l1Gas.wei),
  gasPriceFri: defaultPrice("gas-price-fri", gasPrices.l1Gas.fri),
  dataGasPrice: defaultPrice("data-gas-price", gasPrices.l1DataGas.wei),
  dataGasPriceWei: price(gasPrices.l1DataGas.wei),
  dataGasPriceFri: defaultPrice("data-gas-price-fri", gasPrices.l1DataGas.fri),
  l2GasPrice: defaultPrice("l2-gas-price", gasPrices.l2Gas.wei),
  l2GasPriceWei: price(gasPrices.l2Gas.wei),
  l2GasPriceFri: defaultPrice("l2-gas-price-fri", gasPrices.l2Gas.fri),
  chainId: valueOption(
    {
      flag: "chain-id",
      value: "CHAIN_ID",
      group,
      summary: "MAINNET, TESTNET, or a custom chain id",
    },
    "a chain id",
    readText,
    "TESTNET",
  ),
  dumpOn: {
    ...dump.on,
    group,
    summary: "when the requests that built the chain are written to --dump-path",
  },
  dumpPath: { ...dump.path, group },
  liteMode: switchOption({
    flag: "lite-mode",
    group,
    summary: "without effect: execution never waits for hashes",
  }),
  proofMode: choiceOption(
    {
      flag: "proof-mode",
      value: "PROOF_MODE",
      group,
      summary: "none: transactions with proof facts are refused",
      expected: "none: this version neither makes nor verifies proofs",
    },
    ["none"],
    "none",
  ),
  blockGenerationOn: valueOption(
    {
      flag: "block-generation-on",
      value: "WHEN",
      group,
      words: ["transaction", "demand"],
      summary: "when blocks are made: transaction, demand, or a fixed interval in seconds",
    },
    BLOCK_GENERATION_FORM,
    (text) => (readBlockGeneration(text) === undefined ? undefined : text),
    "transaction",
  ),
  stateArchive: choiceOption(
    {
      flag: "state-archive-capacity",
      value: "CAPACITY",
      group,
      summary: "without effect: the state of every block is kept",
    },
    ["none", "full"],
    "full",
  ),
  forkNetwork: valueOption(
    {
      flag: "fork-network",
      value: "URL",
      group,
      summary: "JSON-RPC node of a network, one of whose blocks the chain continues",
    },
    "http:// or https:// address",
    readUrl,
    null,
  ),
  forkBlock: valueOption(
    {
      flag: "fork-block",
      value: "BLOCK_NUMBER",
      group,
      summary: "block that the chain continues, also by its hash",
      defaultText: "latest",
    },
    FORK_BLOCK_FORM,
    (text) => (readForkBlock(text) === undefined ? undefined : text),
    null,
  ),
  forkUpstreamCaching: choiceOption(
    {
      flag: "fork-upstream-caching",
      value: "BOOLEAN",
      group,
      summary: "without effect: values of the forked network are always kept",
    },
    ["true", "false"],
    null,
  ),
  restrictiveMode: {
    ...devnetOptions.restrictedMethods,
    group,
    summary:
      "methods to forbid, separated by blanks; without a value, the ones that starknet-devnet forbids",
  },
  maximumContractClassSize: limit("maximum-contract-class-size", "BYTES"),
  maximumContractBytecodeSize: limit("maximum-contract-bytecode-size", "FELTS"),
  maximumSierraLength: limit("maximum-sierra-length", "FELTS"),
  metricsHost: choiceOption(
    {
      flag: "metrics-host",
      value: "HOST",
      group,
      summary: "127.0.0.1 or 0.0.0.0: address to serve metrics on",
      defaultText: "no metrics",
    },
    ["127.0.0.1", "localhost", "0.0.0.0"],
    null,
  ),
  metricsPort: portOption({ flag: "metrics-port", group, summary: "port of the metrics" }, 9_090),
  ui: switchOption({ flag: "ui", group, summary: "without effect: this version has no web page" }),
};
