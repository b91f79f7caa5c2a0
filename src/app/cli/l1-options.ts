import { resolve } from "node:path";
import type { L1Options } from "#app/node/index.ts";
import type { L1Finality } from "#io/l1/index.ts";
import { type ChainConfig, DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import { type GivenFlags, wrongOption } from "./given.ts";
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

/** Addresses of L1 nodes, in order. */
const l1Endpoint: Option<readonly string[]> = {
  flag: "l1-endpoint",
  value: "URL",
  group,
  summary:
    "L1 node to follow; without it L1 is off and prices are fixed; may be repeated, in order of preference: another one takes over, and what is final counts when two agree; in the environment a comma list",
  defaultText: undefined,
  expected: "http:// or https:// address, each another one",
  repeatable: true,
  read: readEndpoints,
  fallback: [],
};

/** Transactions on L1 whose updates the operator has accepted. */
const l1AcceptDivergence: Option<readonly bigint[]> = {
  flag: "l1-accept-divergence",
  value: "L1_TRANSACTION_HASH",
  group,
  summary:
    "continue although the state update of this L1 transaction differs from the chain: it makes no block ACCEPTED_ON_L1; may be repeated, in the environment a comma list",
  defaultText: undefined,
  expected: "0x and 64 hexadecimal digits",
  repeatable: true,
  read: readTransactions,
  fallback: [],
};

/** How L1 is followed, where it is. */
export const l1Options = {
  l1Endpoint,
  l1Finality: valueOption(
    {
      flag: "l1-finality",
      value: "HOW",
      group,
      summary:
        "when a block of L1 counts: with so many blocks above it, or once L1's consensus calls it safe or finalized",
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
      summary: "time between two looks at L1's gas prices",
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
        "oracle for the exchange rate, in Pragma's form: asked for URL/strk/eth?interval=2h&aggregation=twap",
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
      summary: "file with the key that the oracle knows its user by, sent as x-api-key",
    },
    "a file",
    readText,
    null,
  ),
};

/**
 * How L1 is followed; `null`: it is not.
 *
 * @throws {ConfigError} when an oracle's key is given without an oracle
 */
export function l1Of(
  {
    options,
    given,
  }: { readonly options: OptionValues<typeof l1Options>; readonly given: GivenFlags },
  { l1MessagesFinalityBlocks }: Pick<ChainConfig, "l1MessagesFinalityBlocks">,
): L1Options | null {
  const { l1Endpoint: endpoints, l1Finality, gasPricePoll, oracleUrl, oracleApiKeyFile } = options;
  if (oracleApiKeyFile !== null && oracleUrl === null) {
    throw wrongOption(given, "oracle-api-key-file", "says nothing without --oracle-url: give both");
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

/** The same endpoint twice would agree with itself. */
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
