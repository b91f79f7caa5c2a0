import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import { readAddress, readText, valueOption } from "#app/options/index.ts";
import type { PositionalLimits } from "./parse-arguments.ts";

const group = "Call";

/** The options of `rpc call`. */
export const rpcCallOptions = {
  url: valueOption(
    {
      flag: "url",
      value: "URL",
      group,
      summary: "JSON-RPC address of the node; host:port is enough",
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
      summary: "parameters as a JSON object (by name) or array, instead of words",
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
      summary: "timeout for the response",
      defaultText: "30s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    30_000,
  ),
};

/** Positional arguments of `rpc call`. */
export const RPC_CALL_WORDS: PositionalLimits = {
  words: [
    { name: "METHOD", summary: "name of the method, with or without prefix" },
    {
      name: "PARAMS",
      summary:
        "by position, JSON where it parses, otherwise text; or one JSON object with all of them by name",
    },
  ],
  min: 1,
  rest: true,
};
