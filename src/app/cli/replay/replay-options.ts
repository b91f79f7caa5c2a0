import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import {
  compilerOptions,
  configOptions,
  nodeOptions,
  readAddress,
  readInteger,
  switchOption,
  valueOption,
} from "#app/options/index.ts";

const group = "Replay";

/** Parses a block number, which is a JSON integer. */
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
      summary: "JSON-RPC 0.10 address of the node, with the path unless it is the node's default",
    },
    "http:// or https:// address, or host:port",
    readAddress,
    "http://127.0.0.1:9944",
  ),
  block: blockOption("block", "block to replay"),
  from: blockOption("from", "first of several blocks, together with --to"),
  to: blockOption("to", "last of several blocks"),
  preset: configOptions.preset,
  chainConfigPath: configOptions.chainConfigPath,
  chainConfigOverride: configOptions.chainConfigOverride,
  chargeFee: {
    ...nodeOptions.chargeFee,
    summary: "the chain executes transactions without charging fees",
  },
  executionMemoryBytes: nodeOptions.executionMemoryBytes,
  ...compilerOptions,
  trustCasm: switchOption({
    flag: "trust-casm",
    group,
    summary:
      "use the node's compiled code of classes where compiling them here yields a different hash than the declared one, for example with older compilers; its hints are not verified",
  }),
  proofKeys: valueOption(
    {
      flag: "proof-keys",
      value: "N",
      group,
      summary: "maximum contracts and storage keys per proof request",
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
        "timeout for a response, and between parts of one with traces, after which the request is repeated",
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
      summary: "maximum retries of a request without a response",
    },
    "a number from 0 to 20",
    readInteger(0, 20),
    3,
  ),
};
