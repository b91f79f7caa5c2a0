import {
  choiceOption,
  fileOption,
  integerOption,
  listOption,
  switchOption,
  valueOption,
} from "./build-option.ts";
import {
  BLOCK_GENERATION_FORM,
  DEFAULT_METHODS,
  readBlockGeneration,
  readChainId,
  readMethods,
  SYSTEM_CLASS_FILES,
} from "./devnet-forms.ts";
import { fixedInterval } from "./config-options.ts";
import { devnetPriceOptions } from "./devnet-price-options.ts";
import { readBigint, readText, U128_MAX } from "./read-option.ts";

const group = "Development chains";
const usedBy = "devnet";

/**
 * Maximum of the option for a chain's start time, in Unix seconds: the end of the year 9999, as for
 * `devnet_setTime`.
 */
export const MAX_START_TIME = 253_402_300_799;

/** Options of development accounts. */
export const devAccountOptions = {
  count: integerOption(
    {
      flag: "dev-accounts",
      group,
      usedBy: "sequencer",
      summary: "funded accounts of the genesis block",
      defaultText: "10 with --preset devnet, else none",
    },
    [0, 100_000],
    null,
  ),
  seed: valueOption(
    {
      flag: "dev-seed",
      value: "N",
      group,
      usedBy: "sequencer",
      summary: "seed of their keys: the same seed gives the same accounts",
    },
    "integer below 2^64",
    readBigint((1n << 64n) - 1n),
    0n,
  ),
  devnetSeed: valueOption(
    {
      flag: "seed",
      value: "N",
      group,
      usedBy: "sequencer",
      summary:
        "seed of starknet-devnet: uses the keys and addresses of its accounts instead of --dev-seed's",
    },
    "integer below 2^32",
    readBigint((1n << 32n) - 1n),
    null,
  ),
  balance: valueOption(
    {
      flag: "dev-balance",
      value: "AMOUNT",
      group,
      usedBy: "sequencer",
      summary: "their balance of STRK and of ETH, in fri and wei",
    },
    "integer below 2^128",
    readBigint(U128_MAX),
    1_000_000_000_000_000_000_000n,
  ),
};

/** Options of development features, under starknet-devnet's names. */
export const devnetOptions = {
  blockGeneration: valueOption(
    {
      flag: "block-generation-on",
      value: "WHEN",
      group,
      usedBy,
      words: ["transaction", "demand"],
      sets: generationFields,
      summary:
        "when --preset devnet makes blocks, as in starknet-devnet: transaction, demand (only on devnet_createBlock), or a fixed interval in seconds",
    },
    BLOCK_GENERATION_FORM,
    readBlockGeneration,
    null,
  ),
  /** Whether transactions are acknowledged once received, not once executed. */
  asyncSubmission: switchOption({
    flag: "async-submission",
    group,
    usedBy,
    summary:
      "--preset devnet responds once a transaction is received, like other chains, instead of once it is executed",
  }),
  restrictedMethods: valueOption(
    {
      flag: "restrictive-mode",
      value: "METHODS",
      group,
      usedBy,
      words: [DEFAULT_METHODS],
      summary: `methods that --preset devnet forbids (-32604), for chains shared by several users: comma-separated names, or ${DEFAULT_METHODS} for the ones that starknet-devnet forbids`,
    },
    `${DEFAULT_METHODS}, or names of methods`,
    readMethods,
    null,
  ),
  /**
   * Timestamp of block 0 in Unix seconds, from which time continues; `null` for 0, with the system's clock
   * afterwards.
   */
  startTime: integerOption(
    {
      flag: "start-time",
      value: "SECONDS",
      group,
      usedBy,
      summary:
        "Unix time of the first block of --preset devnet; the chain's clock continues from there, and after a restart from its newest block",
    },
    [0, MAX_START_TIME],
    null,
  ),
  gasPrices: devnetPriceOptions,
  dump: {
    /** Trigger of automatic dumps; `null` for none. A dump at the path is loaded in any case. */
    on: choiceOption(
      {
        flag: "dump-on",
        value: "EVENT",
        group,
        usedBy,
        summary:
          "when --preset devnet writes the requests that built the chain to --dump-path: exit, block (after each), or request (only on devnet_dump)",
      },
      ["exit", "block", "request"],
      null,
    ),
    path: fileOption({
      flag: "dump-path",
      group,
      usedBy,
      summary: "dump file; a new chain is first restored from an existing dump in it",
    }),
  },
};

/**
 * Options for the chain id of a development chain, and options that are accepted only for scripts
 * of starknet-devnet.
 */
export const devnetChainOptions = {
  chainId: valueOption(
    {
      flag: "chain-id",
      value: "ID",
      group,
      sets: (id) => ({ chain_id: JSON.stringify(id) }),
      summary:
        "chain id of --preset devnet, at most 31 ASCII characters, or its text as a 0x… number; MAINNET and TESTNET mean SN_MAIN and SN_SEPOLIA",
    },
    "a chain id: 1 to 31 letters, digits, _, - or ., or its text as a hex number",
    readChainId,
    null,
  ),
  liteMode: switchOption({
    flag: "lite-mode",
    group,
    usedBy: "sequencer",
    summary:
      "accepted for starknet-devnet scripts, without effect: block hashes are computed in parallel with execution, which never waits for them",
  }),
};

/** Options for the classes of a new development chain. */
export const genesisClassOptions = {
  accountClass: valueOption(
    {
      flag: "account-class",
      value: "FILE",
      group,
      usedBy,
      summary:
        "Sierra or Cairo 0 class of the funded accounts of --preset devnet; its constructor must take the public key and store it as Account_public_key; cairo1 is the included class",
      defaultText: "cairo1",
    },
    "a file, or cairo1",
    readText,
    null,
  ),
  predeclareClass: listOption({
    flag: "predeclare-class",
    value: "PATH",
    group,
    usedBy,
    summary:
      "Sierra or Cairo 0 class that block 0 of --preset devnet declares, or a folder with *.contract_class.json and *.sierra.json files; repeatable",
  }),
  predeclareArgent: listOption({
    flag: "predeclare-argent",
    value: "PATH",
    group,
    usedBy,
    summary: "the same for files of Argent's account classes, which are built into starknet-devnet",
  }),
  systemClasses: valueOption(
    {
      flag: "system-classes",
      value: "DIR",
      group,
      usedBy,
      summary: `folder with classes that replace --preset devnet's fee tokens and universal deployers: ${SYSTEM_CLASS_FILES}`,
    },
    "a folder",
    readText,
    null,
  ),
};

/** Options for files that a started node writes for scripts. */
export const reportOptions = {
  /** File to write the chain id, addresses and development accounts to; `null` for none. */
  configOut: fileOption({
    flag: "config-out",
    group,
    usedBy: "sequencer",
    summary:
      "write chain id, URLs, fee tokens, account class, universal deployers and the development accounts with their keys to this file, as JSON for scripts",
  }),
};

/** Fields of the chain configuration for a way to make blocks. */
function generationFields(
  generation: string,
  overrides: readonly string[],
): Readonly<Record<string, string>> {
  if (generation === "demand") return {};
  if (generation === "transaction") return { blocks_on_demand: "true", no_empty_blocks: "true" };
  return fixedInterval(`${generation}s`, overrides);
}
