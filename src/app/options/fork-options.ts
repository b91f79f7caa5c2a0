import {
  durationOption,
  integerOption,
  mibOption,
  parsedListOption,
  valueOption,
} from "./build-option.ts";
import { FORK_BLOCK_FORM, readForkBlock, readHash, readHeaders } from "./fork-forms.ts";
import { readUrls } from "./read-option.ts";

const group = "Forks";
const usedBy = "devnet";
const URLS = "http:// or https:// address, all of them different";

/** Options of a chain that continues a block of another network, its origin. */
export const forkOptions = {
  /** JSON-RPC addresses of the origin, without duplicates. */
  urls: parsedListOption(
    {
      flag: "fork-url",
      value: "URL",
      group,
      usedBy,
      summary:
        "fork: --preset devnet continues a block of this network, whose JSON-RPC node supplies the state and the blocks up to it; repeatable for several nodes of one network, in the environment a comma-separated list",
    },
    URLS,
    readUrls,
  ),
  /** Addresses under starknet-devnet's name. */
  networkUrls: parsedListOption(
    {
      flag: "fork-network",
      value: "URL",
      group,
      usedBy,
      summary: "the same as --fork-url, under starknet-devnet's name",
    },
    URLS,
    readUrls,
  ),
  /** `null` for the origin's latest block at the first start. */
  block: valueOption(
    {
      flag: "fork-block",
      value: "BLOCK",
      group,
      usedBy,
      words: ["latest"],
      summary:
        "block that the fork continues: a number, a hash, or latest; later starts keep the block of the first one",
      defaultText: "latest",
    },
    FORK_BLOCK_FORM,
    readForkBlock,
    null,
  ),
  headers: parsedListOption(
    {
      flag: "fork-header",
      value: "NAME=VALUE",
      group,
      usedBy,
      summary:
        "header of each request to the forked network, such as an API key; repeatable, in the environment one a line, where other users cannot read it",
    },
    "NAME=VALUE, the name of an HTTP header and its text",
    readHeaders,
  ),
  timeoutMs: durationOption(
    {
      flag: "fork-timeout",
      group,
      usedBy,
      summary:
        "deadline of one value of the forked network, over all retries; a call that needs it then fails, a transaction waits",
    },
    ["100ms", "10min"],
    "10s",
  ),
  concurrency: integerOption(
    {
      flag: "fork-concurrency",
      group,
      usedBy,
      summary:
        "maximum requests to the forked network in flight; fewer while it responds with status 429",
    },
    [1, 256],
    8,
  ),
  maxLimitedBytes: mibOption(
    {
      flag: "fork-cache-limit",
      group,
      usedBy,
      summary:
        "size of fork.db for values of the forked network that clients read; those not used for the longest time are deleted. Values that local transactions read are always kept",
    },
    [1, 1 << 20],
    256,
  ),
  /** Transaction before which the fork starts; `null` to start after a whole block. */
  transaction: valueOption(
    {
      flag: "fork-transaction",
      value: "HASH",
      group,
      usedBy,
      summary:
        "fork right before this transaction: the transactions before it in its block are executed on the local chain first",
    },
    "0x… transaction hash",
    readHash,
    null,
  ),
};
