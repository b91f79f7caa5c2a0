import { allowedHostsFromText, corsPolicyFromText } from "#base/primitives/index.ts";
import { readInteger, readText, switchOption, valueOption } from "./option.ts";
import { rpcLimitOptions } from "./rpc-limit-options.ts";

const group = "JSON-RPC";

const PORT = "port from 0 to 65535 (0 takes a free one)";

/** Options of the JSON-RPC server. */
export const rpcOptions = {
  rpcPort: valueOption(
    { flag: "rpc-port", short: "p", value: "PORT", group, summary: "JSON-RPC port" },
    PORT,
    readInteger(0, 65_535),
    9944,
  ),
  rpcHost: valueOption(
    {
      flag: "rpc-host",
      value: "HOST",
      group,
      summary: "address to listen on",
      defaultText: "127.0.0.1",
    },
    "a host name or address",
    readText,
    null,
  ),
  rpcExternal: switchOption({
    flag: "rpc-external",
    group,
    summary: "accept non-local connections: listen on 0.0.0.0",
  }),
  rpcCors: valueOption(
    {
      flag: "rpc-cors",
      value: "ORIGINS",
      group,
      summary: "allowed origins, comma-separated; all allows every origin",
      defaultText: "http and https on localhost, 127.0.0.1 and [::1], any port",
    },
    "all, or origins such as https://app.example",
    corsPolicyFromText,
    "local" as const,
  ),
  rpcAllowedHosts: valueOption(
    {
      flag: "rpc-allowed-hosts",
      value: "HOSTS",
      group,
      summary:
        "Host header names to accept in addition to localhost and addresses, comma-separated; * accepts all",
      defaultText:
        "all, if --rpc-external, --rpc-host or --rpc-cors all admits others; otherwise none",
    },
    "*, or host names without scheme and port such as node.example,localhost",
    allowedHostsFromText,
    null,
  ),
  rpcMaxSubscriptions: valueOption(
    {
      flag: "rpc-max-subscriptions",
      value: "N",
      group,
      summary: "maximum subscriptions per WebSocket connection",
    },
    "integer from 1 to 65535",
    readInteger(1, 65_535),
    1024,
  ),
  ...rpcLimitOptions,
  rpcAdminTokenFile: valueOption(
    {
      flag: "rpc-admin-token-file",
      value: "FILE",
      group,
      summary: "enable the admin methods for callers that send the token in this file",
    },
    "a file",
    readText,
    null,
  ),
  rpcAdminPort: valueOption(
    {
      flag: "rpc-admin-port",
      value: "PORT",
      group,
      summary: "port of the admin methods on the local host, if enabled",
    },
    PORT,
    readInteger(0, 65_535),
    9943,
  ),
};
