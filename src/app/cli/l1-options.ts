import { resolve } from "node:path";
import type { L1Options } from "#app/node/index.ts";
import type { L1Finality } from "#io/l1/index.ts";
import { type ChainConfig, DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import { type FlagSources, wrongOption } from "./given.ts";
import {
  type Option,
  type OptionValues,
  readInteger,
  readText,
  readUrl,
  valueOption,
} from "./option.ts";

const group = "L1 and prices";

const MAX_CONFIRMATIONS = 1_000_000;

/** Addresses of L1 nodes, in order of preference. */
const l1Endpoint: Option<readonly string[]> = {
  flag: "l1-endpoint",
  value: "URL",
  group,
  summary:
    "L1 node to follow; without it L1 is off and prices are fixed; repeatable, in order of preference: if one fails another takes over, and final L1 data requires two to agree; in the environment a comma-separated list",
  defaultText: undefined,
  expected: "http:// or https:// address, all of them different",
  repeatable: true,
  read: readEndpoints,
  fallback: [],
};

/** L1 transactions whose diverging updates the operator has accepted. */
const l1AcceptDivergence: Option<readonly bigint[]> = {
  flag: "l1-accept-divergence",
  value: "L1_TRANSACTION_HASH",
  group,
  summary:
    "continue although the state update of this L1 transaction differs from the chain: it makes no block ACCEPTED_ON_L1; repeatable, in the environment a comma-separated list",
  defaultText: undefined,
  expected: "0x and 64 hexadecimal digits",
  repeatable: true,
  read: readTransactions,
  fallback: [],
};

/** Options for following L1. */
export const l1Options = {
  l1Endpoint,
  l1Finality: valueOption(
    {
      flag: "l1-finality",
      value: "HOW",
      group,
      summary:
        "when an L1 block counts as final: with this number of blocks above it, or once L1's consensus marks it safe or finalized",
      defaultText: "l1_messages_finality_blocks of the chain configuration",
    },
    `integer from 0 to ${MAX_CONFIRMATIONS}, safe or finalized`,
    readFinality,
    null,
  ),
  l1AcceptDivergence,
  gasPricePoll: valueOption(
    {
      flag: "gas-price-poll",
      value: "DURATION",
      group,
      summary: "interval between L1 gas price polls",
      defaultText: "10s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    10_000,
  ),
  oracleUrl: valueOption(
    {
      flag: "oracle-url",
      value: "URL",
      group,
      summary:
        "oracle for the exchange rate, in Pragma's format; requests go to URL/strk/eth?interval=2h&aggregation=twap",
    },
    "http:// or https:// address",
    readUrl,
    null,
  ),
  oracleApiKeyFile: valueOption(
    {
      flag: "oracle-api-key-file",
      value: "FILE",
      group,
      summary: "file with the API key for the oracle, sent as x-api-key",
    },
    "a file",
    readText,
    null,
  ),
};

/**
 * Returns how L1 is followed; `null` when it is not.
 *
 * @throws {ConfigError} when an oracle's key is set without an oracle
 */
export function l1Of(
  {
    options,
    given,
  }: { readonly options: OptionValues<typeof l1Options>; readonly given: FlagSources },
  { l1MessagesFinalityBlocks }: Pick<ChainConfig, "l1MessagesFinalityBlocks">,
): L1Options | null {
  const { l1Endpoint: endpoints, l1Finality, gasPricePoll, oracleUrl, oracleApiKeyFile } = options;
  if (oracleApiKeyFile !== null && oracleUrl === null) {
    throw wrongOption(given, "oracle-api-key-file", "has no effect without --oracle-url: set both");
  }
  if (endpoints.length === 0) return null;
  return {
    endpoints,
    acceptedDivergences: options.l1AcceptDivergence,
    finality: l1Finality ?? l1MessagesFinalityBlocks,
    gasPricePollMs: gasPricePoll,
    oracle:
      oracleUrl === null
        ? null
        : {
            url: oracleUrl,
            apiKeyFile: oracleApiKeyFile === null ? null : resolve(oracleApiKeyFile),
          },
  };
}

/** Rejects duplicates: the same endpoint twice would agree with itself. */
function readEndpoints(texts: readonly string[]): readonly string[] | undefined {
  const urls = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  if (urls.some((url) => readUrl(url) === undefined)) return undefined;
  return new Set(urls.map((url) => new URL(url).href)).size === urls.length ? urls : undefined;
}

function readTransactions(texts: readonly string[]): readonly bigint[] | undefined {
  const hashes = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  if (hashes.some((hash) => !/^0x[0-9a-f]{64}$/i.test(hash))) return undefined;
  return hashes.map((hash) => BigInt(hash));
}

function readFinality(text: string): L1Finality | undefined {
  const tag = text.toLowerCase();
  if (tag === "safe" || tag === "finalized") return tag;
  return readInteger(0, MAX_CONFIRMATIONS)(text);
}
