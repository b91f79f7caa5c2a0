import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import { fileOption, parsedListOption, valueOption } from "./build-option.ts";
import { readInteger, readUrl, readUrls } from "./read-option.ts";

const group = "L1 and prices";

const MAX_CONFIRMATIONS = 1_000_000;

/** Options for following L1. */
export const l1Options = {
  /** URLs of L1 nodes, in order of preference, without duplicates. */
  endpoints: parsedListOption(
    {
      flag: "l1-endpoint",
      brief: "L1 node to follow",
      value: "URL",
      group,
      summary:
        "L1 node to follow; without it L1 is off and prices are fixed; repeatable, in order of preference: if one fails another takes over, and final L1 data requires two to agree; in the environment a comma-separated list",
    },
    "http:// or https:// address, all of them different",
    // The same endpoint twice would agree with itself.
    readUrls,
  ),
  finality: valueOption(
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
  /** L1 transactions whose state updates may differ: they halt nothing, and settle no block. */
  acceptedDivergences: parsedListOption(
    {
      flag: "l1-accept-divergence",
      value: "L1_TRANSACTION_HASH",
      group,
      summary:
        "continue although the state update of this L1 transaction differs from the chain: it makes no block ACCEPTED_ON_L1; repeatable, in the environment a comma-separated list",
    },
    "0x and 64 hexadecimal digits",
    readTransactions,
  ),
  gasPricePollMs: valueOption(
    {
      flag: "gas-price-poll",
      value: "DURATION",
      group,
      usedBy: "sequencer",
      summary: "interval between L1 gas price polls",
      defaultText: "10s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    10_000,
  ),
  /** Price oracle for the exchange rate of STRK to ETH. */
  oracle: {
    /** Base URL, to which the pair and the interval are added. */
    url: valueOption(
      {
        flag: "oracle-url",
        value: "URL",
        group,
        usedBy: "sequencer",
        summary:
          "oracle for the exchange rate, in Pragma's format; requests go to URL/strk/eth?interval=2h&aggregation=twap",
      },
      "http:// or https:// address",
      readUrl,
      null,
    ),
    apiKeyFile: fileOption({
      flag: "oracle-api-key-file",
      group,
      usedBy: "sequencer",
      summary: "file with the API key for the oracle, sent as x-api-key",
    }),
  },
};

function readTransactions(texts: readonly string[]): readonly bigint[] | undefined {
  const hashes = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  if (hashes.some((hash) => !/^0x[0-9a-f]{64}$/i.test(hash))) return undefined;
  return hashes.map((hash) => BigInt(hash));
}

function readFinality(text: string): "safe" | "finalized" | number | undefined {
  const tag = text.toLowerCase();
  if (tag === "safe" || tag === "finalized") return tag;
  return readInteger(0, MAX_CONFIRMATIONS)(text);
}
