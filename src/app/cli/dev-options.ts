import { BLOCK_GENERATION_FORM, readBlockGeneration } from "./block-generation-form.ts";
import {
  readBigint,
  readInteger,
  readText,
  switchOption,
  U128_MAX,
  valueOption,
} from "./option.ts";

const group = "Development chains";

/** Stands for the methods that starknet-devnet forbids by default. */
export const DEFAULT_METHODS = "default";

/** Options of development chains. */
export const devOptions = {
  devAccounts: valueOption(
    {
      flag: "dev-accounts",
      value: "N",
      group,
      summary: "funded accounts of the genesis block",
      defaultText: "10 with --preset devnet, else none",
    },
    "integer from 0 to 100000",
    readInteger(0, 100_000),
    null,
  ),
  devSeed: valueOption(
    {
      flag: "dev-seed",
      value: "N",
      group,
      summary: "seed of their keys: the same seed gives the same accounts",
    },
    "integer below 2^64",
    readBigint((1n << 64n) - 1n),
    0n,
  ),
  seed: valueOption(
    {
      flag: "seed",
      value: "N",
      group,
      summary:
        "seed of starknet-devnet: uses the keys and addresses of its accounts instead of --dev-seed's",
    },
    "integer below 2^32",
    readInteger(0, 2 ** 32 - 1),
    null,
  ),
  devBalance: valueOption(
    {
      flag: "dev-balance",
      value: "AMOUNT",
      group,
      summary: "their balance of STRK and of ETH, in fri and wei",
    },
    "integer below 2^128",
    readBigint(U128_MAX),
    1_000_000_000_000_000_000_000n,
  ),
  blockGenerationOn: valueOption(
    {
      flag: "block-generation-on",
      value: "WHEN",
      group,
      summary:
        "when --preset devnet makes blocks, as in starknet-devnet: transaction, demand (only on devnet_createBlock), or a fixed interval in seconds",
    },
    BLOCK_GENERATION_FORM,
    readBlockGeneration,
    null,
  ),
  asyncSubmission: switchOption({
    flag: "async-submission",
    group,
    summary:
      "--preset devnet responds once a transaction is received, like other chains, instead of once it is executed",
  }),
  restrictiveMode: valueOption(
    {
      flag: "restrictive-mode",
      value: "METHODS",
      group,
      summary: `methods that --preset devnet forbids (-32604), for chains shared by several users: comma-separated names, or ${DEFAULT_METHODS} for the ones that starknet-devnet forbids`,
    },
    `${DEFAULT_METHODS}, or names of methods`,
    readMethods,
    null,
  ),
  configOut: valueOption(
    {
      flag: "config-out",
      value: "FILE",
      group,
      summary:
        "write chain id, URLs, fee tokens, account class, universal deployers and the development accounts with their keys to this file, as JSON for scripts",
    },
    "a file",
    readText,
    null,
  ),
};

const METHOD_NAME = /^[a-z]+[._][A-Za-z]+$/;

function readMethods(text: string): readonly string[] | typeof DEFAULT_METHODS | undefined {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 1 && names[0] === DEFAULT_METHODS) return DEFAULT_METHODS;
  return names.length > 0 && names.every((name) => METHOD_NAME.test(name)) ? names : undefined;
}
