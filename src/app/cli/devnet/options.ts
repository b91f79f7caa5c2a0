import { BLOCK_GENERATION_FORM, readBlockGeneration } from "../block-generation-form.ts";
import { devOptions } from "../dev-options.ts";
import { MAX_START_TIME } from "../devnet-options.ts";
import { devnetPriceOptions } from "../devnet-price-options.ts";
import { dumpOptions } from "../dump-options.ts";
import { genesisClassOptions } from "../genesis-class-options.ts";
import {
  readBigint,
  readChoice,
  readInteger,
  readText,
  switchOption,
  U128_MAX,
  valueOption,
} from "../option.ts";

const group = "starknet-devnet";

const PORT = "port from 0 to 65535 (0 takes a free one)";
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

type PriceOption = (typeof devnetPriceOptions)[keyof typeof devnetPriceOptions];

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
  accountClass: valueOption(
    {
      flag: "account-class",
      value: "ACCOUNT_CLASS",
      group,
      summary: "class of the funded accounts; cairo1 is the one included in the program",
    },
    "cairo1: the program includes no Cairo 0 account; load one with --account-class-custom",
    readChoice(["cairo1"]),
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
  systemClasses: { ...genesisClassOptions.systemClasses, group },
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
    ...devOptions.seed,
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
  port: valueOption(
    { flag: "port", value: "PORT", group, summary: "JSON-RPC port" },
    PORT,
    readInteger(0, 65_535),
    5_050,
  ),
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
  gasPrice: defaultPrice("gas-price", devnetPriceOptions.gasPriceWei),
  gasPriceWei: price(devnetPriceOptions.gasPriceWei),
  gasPriceFri: defaultPrice("gas-price-fri", devnetPriceOptions.gasPriceFri),
  dataGasPrice: defaultPrice("data-gas-price", devnetPriceOptions.dataGasPriceWei),
  dataGasPriceWei: price(devnetPriceOptions.dataGasPriceWei),
  dataGasPriceFri: defaultPrice("data-gas-price-fri", devnetPriceOptions.dataGasPriceFri),
  l2GasPrice: defaultPrice("l2-gas-price", devnetPriceOptions.l2GasPriceWei),
  l2GasPriceWei: price(devnetPriceOptions.l2GasPriceWei),
  l2GasPriceFri: defaultPrice("l2-gas-price-fri", devnetPriceOptions.l2GasPriceFri),
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
    ...dumpOptions.dumpOn,
    group,
    summary: "when the requests that built the chain are written to --dump-path",
  },
  dumpPath: { ...dumpOptions.dumpPath, group },
  liteMode: switchOption({
    flag: "lite-mode",
    group,
    summary: "without effect: execution never waits for hashes",
  }),
  proofMode: valueOption(
    {
      flag: "proof-mode",
      value: "PROOF_MODE",
      group,
      summary: "none: transactions with proof facts are refused",
    },
    "none: this version neither makes nor verifies proofs",
    readChoice(["none"]),
    "none",
  ),
  blockGenerationOn: valueOption(
    {
      flag: "block-generation-on",
      value: "WHEN",
      group,
      summary: "when blocks are made: transaction, demand, or a fixed interval in seconds",
    },
    BLOCK_GENERATION_FORM,
    (text) => (readBlockGeneration(text) === undefined ? undefined : text),
    "transaction",
  ),
  stateArchive: valueOption(
    {
      flag: "state-archive-capacity",
      value: "CAPACITY",
      group,
      summary: "without effect: the state of every block is kept",
    },
    "none or full",
    readChoice(["none", "full"]),
    "full",
  ),
  forkNetwork: fork("fork-network", "URL"),
  forkBlock: fork("fork-block", "BLOCK_NUMBER"),
  forkUpstreamCaching: fork("fork-upstream-caching", "BOOLEAN"),
  restrictiveMode: {
    ...devOptions.restrictiveMode,
    group,
    summary:
      "methods to forbid, separated by blanks; without a value, the ones that starknet-devnet forbids",
  },
  maximumContractClassSize: limit("maximum-contract-class-size", "BYTES"),
  maximumContractBytecodeSize: limit("maximum-contract-bytecode-size", "FELTS"),
  maximumSierraLength: limit("maximum-sierra-length", "FELTS"),
  metricsHost: valueOption(
    {
      flag: "metrics-host",
      value: "HOST",
      group,
      summary: "127.0.0.1 or 0.0.0.0: address to serve metrics on",
      defaultText: "no metrics",
    },
    "127.0.0.1, localhost or 0.0.0.0",
    readChoice(["127.0.0.1", "localhost", "0.0.0.0"]),
    null,
  ),
  metricsPort: valueOption(
    { flag: "metrics-port", value: "PORT", group, summary: "port of the metrics" },
    PORT,
    readInteger(0, 65_535),
    9_090,
  ),
  ui: switchOption({ flag: "ui", group, summary: "without effect: this version has no web page" }),
};

function fork(flag: string, value: string) {
  return valueOption(
    { flag, value, group, summary: "refused: this version does not fork" },
    "no value: this version does not fork a network",
    () => undefined,
    null,
  );
}
