import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import { readAddress, readText, valueOption } from "./option.ts";
import type { PositionalLimits } from "./parse-arguments.ts";

const group = "Call";

/** The options of `rpc call`. */
export const rpcCallOptions = {
  url: valueOption(
    {
      flag: "url",
      value: "URL",
      group,
      summary: "the node's JSON-RPC address; host:port is enough",
    },
    "http:// or https:// address, or host:port",
    readAddress,
    "http://127.0.0.1:9944",
  ),
  params: valueOption(
    {
      flag: "params",
      value: "JSON",
      group,
      summary: "parameters as a JSON object (by name) or array, in place of words",
    },
    "a JSON object or array",
    readText,
    null,
  ),
  timeout: valueOption(
    {
      flag: "timeout",
      value: "DURATION",
      group,
      summary: "how long to wait for the answer",
      defaultText: "30s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    30_000,
  ),
};

/** Words that `rpc call` takes. */
export const RPC_CALL_WORDS: PositionalLimits = {
  words: [
    { name: "METHOD", summary: "name of the method, with or without prefix" },
    {
      name: "PARAMS",
      summary: "by position, JSON where it parses, else text; or all in one JSON object by name",
    },
  ],
  min: 1,
  rest: true,
};
