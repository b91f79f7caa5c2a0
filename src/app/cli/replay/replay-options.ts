import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import { chainOptions } from "../chain-options.ts";
import { readAddress, readInteger, switchOption, valueOption } from "../option.ts";

const group = "Replay";

/** Block numbers are JSON integers. */
const readBlockNumber = readInteger(0, Number.MAX_SAFE_INTEGER);

function blockOption(flag: string, summary: string) {
  const texts = { flag, value: "N", group, summary };
  return valueOption(texts, "a block number", readBlockNumber, null);
}

/** The options of `replay`. */
export const replayOptions = {
  url: valueOption(
    {
      flag: "url",
      value: "URL",
      group,
      summary:
        "the node's address for JSON-RPC 0.10, with the path where it is not the node's default",
    },
    "http:// or https:// address, or host:port",
    readAddress,
    "http://127.0.0.1:9944",
  ),
  block: blockOption("block", "the block to replay"),
  from: blockOption("from", "the first of several blocks, together with --to"),
  to: blockOption("to", "the last of several blocks"),
  preset: { ...chainOptions.preset, group: "Chain" },
  chainConfigPath: chainOptions.chainConfigPath,
  chainConfigOverride: chainOptions.chainConfigOverride,
  noChargeFee: switchOption({
    flag: "no-charge-fee",
    group: "Chain",
    summary: "the chain executes transactions without charging fees",
  }),
  executionMemory: chainOptions.executionMemory,
  compilerMemory: chainOptions.compilerMemory,
  compilerTimeout: chainOptions.compilerTimeout,
  compilerNice: chainOptions.compilerNice,
  trustCasm: switchOption({
    flag: "trust-casm",
    group,
    summary:
      "take the node's compiled code of classes where compiling them here gives another hash than was declared, as of older compilers; its hints are not verified",
  }),
  proofKeys: valueOption(
    {
      flag: "proof-keys",
      value: "N",
      group,
      summary: "how many contracts and storage keys to ask proofs for at once",
    },
    "a number from 2 to 10000",
    readInteger(2, 10_000),
    90,
  ),
  timeout: valueOption(
    {
      flag: "timeout",
      value: "DURATION",
      group,
      summary:
        "how long to wait for an answer, and for more of one with traces, before the request is repeated",
      defaultText: "30s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    30_000,
  ),
  retries: valueOption(
    {
      flag: "retries",
      value: "N",
      group,
      summary: "how often a question without an answer is asked again",
    },
    "a number from 0 to 20",
    readInteger(0, 20),
    3,
  ),
};
