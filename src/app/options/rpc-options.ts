import { allowedHostsFromText, corsPolicyFromText } from "#base/primitives/index.ts";
import {
  fileOption,
  integerOption,
  portOption,
  switchOption,
  valueOption,
} from "./build-option.ts";
import { readText } from "./read-option.ts";
import { rpcLimitOptions } from "./rpc-limit-options.ts";

const group = "JSON-RPC";

/** Options of the JSON-RPC server. */
export const rpcOptions = {
  port: portOption(
    { flag: "rpc-port", short: "p", brief: "JSON-RPC port", group, summary: "JSON-RPC port" },
    9944,
  ),
  host: valueOption(
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
  isExternal: switchOption({
    flag: "rpc-external",
    brief: "accept JSON-RPC from other machines",
    group,
    summary: "accept non-local connections: listen on 0.0.0.0",
  }),
  cors: valueOption(
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
  /** Accepted Host headers; `null` to derive them from the address and `cors`. */
  allowedHosts: valueOption(
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
  maxSubscriptionsPerConnection: integerOption(
    {
      flag: "rpc-max-subscriptions",
      group,
      summary: "maximum subscriptions per WebSocket connection",
    },
    [1, 65_535],
    1_024,
  ),
  ...rpcLimitOptions,
  /** File with the token of the admin methods; `null` to disable them. */
  adminTokenFile: fileOption({
    flag: "rpc-admin-token-file",
    group,
    summary: "enable the admin methods for callers that send the token in this file",
  }),
  /** Port on this machine only. */
  adminPort: portOption(
    {
      flag: "rpc-admin-port",
      group,
      summary: "port of the admin methods on the local host, if enabled",
    },
    9943,
  ),
};
