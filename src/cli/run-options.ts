import { DURATION_FORM, parseDurationMs, PRESETS } from "#config/index.ts";
import { LOG_LEVELS } from "#telemetry/index.ts";
import {
  listOption,
  readBigint,
  readChoice,
  readInteger,
  readPortOrOff,
  readText,
  readUrl,
  switchOption,
  valueOption,
} from "./option.ts";

const U128_MAX = (1n << 128n) - 1n;
const PORT = "port from 0 to 65535 (0 takes a free one)";
const PORT_OR_OFF = "port from 0 to 65535, or off";
const GAS_PRICE = "price in the smallest unit, plain digits below 2^128";

/** An above-zero decimal fraction: `2500`, `0.5`. */
function readRate(text: string): number | undefined {
  const rate = /^\d{1,12}(\.\d{1,18})?$/.test(text) ? Number(text) : 0;
  return rate > 0 ? rate : undefined;
}

function readOrigins(text: string): "all" | readonly string[] | undefined {
  if (text === "all" || text === "*") return "all";
  const origins = text.split(",").map((origin) => origin.trim());
  return origins.every((origin) => /^https?:\/\/[^\s/]+$/.test(origin)) ? origins : undefined;
}

const chain = "Chain";
const rpc = "JSON-RPC";
const l1 = "L1 and prices";
const dev = "Development chains";
const endpoints = "Other endpoints";
const logs = "Logs";

/** The switch that only the `node` command and the root form have. */
export const sequencerSwitch = switchOption({
  flag: "sequencer",
  group: chain,
  summary: "run in sequencer role; without it the node is a full node (not built yet)",
});

/** The options of a running node (seed section 4.5 and more). */
export const sequencerOptions = {
  name: valueOption(
    { flag: "name", value: "NAME", group: chain, summary: "node name, for logs and metrics" },
    "a name",
    readText,
    "appchain",
  ),
  basePath: valueOption(
    {
      flag: "base-path",
      value: "DIR",
      group: chain,
      summary: "data directory",
      defaultText: "appchain-data/<chain id>",
    },
    "a directory",
    readText,
    null,
  ),
  chainConfigPath: valueOption(
    {
      flag: "chain-config-path",
      value: "FILE",
      group: chain,
      summary: "YAML chain configuration",
    },
    "a file",
    readText,
    undefined,
  ),
  preset: valueOption(
    {
      flag: "preset",
      value: "NAME",
      group: chain,
      summary: `predefined chain configuration: ${PRESETS.join(", ")}`,
    },
    "a preset",
    readText,
    undefined,
  ),
  chainConfigOverride: listOption({
    flag: "chain-config-override",
    value: "FIELD=VALUE",
    group: chain,
    summary:
      "override chain configuration fields: repeat it or give a comma list, reach inner fields with dots, write values as YAML",
  }),
  blockTime: valueOption(
    {
      flag: "block-time",
      value: "DURATION",
      group: chain,
      summary: "a block at this fixed interval, with or without transactions",
    },
    DURATION_FORM,
    (text) => (parseDurationMs(text) === undefined ? undefined : text),
    null,
  ),
  privateKeyFile: valueOption(
    {
      flag: "private-key-file",
      value: "FILE",
      group: chain,
      summary: "file with the key that signs blocks; without it one is kept in the data directory",
    },
    "a file",
    readText,
    null,
  ),
  noChargeFee: switchOption({
    flag: "no-charge-fee",
    group: chain,
    summary: "execute transactions without charging fees",
  }),
  rpcPort: valueOption(
    { flag: "rpc-port", value: "PORT", group: rpc, summary: "JSON-RPC port" },
    PORT,
    readInteger(0, 65_535),
    9944,
  ),
  rpcHost: valueOption(
    {
      flag: "rpc-host",
      value: "HOST",
      group: rpc,
      summary: "address to listen on",
      defaultText: "127.0.0.1",
    },
    "a host name or address",
    readText,
    null,
  ),
  rpcExternal: switchOption({
    flag: "rpc-external",
    group: rpc,
    summary: "accept non-local connections: listen on 0.0.0.0",
  }),
  rpcCors: valueOption(
    {
      flag: "rpc-cors",
      value: "ORIGINS",
      group: rpc,
      summary: "allowed origins, comma separated; all allows every origin",
      defaultText: "http and https on localhost and 127.0.0.1, any port",
    },
    "all, or origins such as https://app.example",
    readOrigins,
    "local" as const,
  ),
  rpcMaxConnections: valueOption(
    {
      flag: "rpc-max-connections",
      notBuilt: true,
      value: "N",
      group: rpc,
      summary: "open connections",
    },
    "integer from 1 to 65535",
    readInteger(1, 65_535),
    100,
  ),
  rpcMaxRequestSize: valueOption(
    { flag: "rpc-max-request-size", value: "MIB", group: rpc, summary: "request body, MiB" },
    "MiB from 1 to 1024",
    readInteger(1, 1024),
    15,
  ),
  rpcMaxResponseSize: valueOption(
    { flag: "rpc-max-response-size", value: "MIB", group: rpc, summary: "response body, MiB" },
    "MiB from 1 to 1024",
    readInteger(1, 1024),
    15,
  ),
  rpcMaxBatch: valueOption(
    {
      flag: "rpc-max-batch",
      value: "N",
      group: rpc,
      summary: "calls per batch; 0 refuses batches",
    },
    "integer from 0 to 100000",
    readInteger(0, 100_000),
    100,
  ),
  rpcMaxSubscriptions: valueOption(
    {
      flag: "rpc-max-subscriptions",
      notBuilt: true,
      value: "N",
      group: rpc,
      summary: "subscriptions per WebSocket connection",
    },
    "integer from 1 to 65535",
    readInteger(1, 65_535),
    1024,
  ),
  rpcAdminTokenFile: valueOption(
    {
      flag: "rpc-admin-token-file",
      notBuilt: true,
      value: "FILE",
      group: rpc,
      summary: "turn on the admin methods for callers that send the token in this file",
    },
    "a file",
    readText,
    null,
  ),
  l1Endpoint: valueOption(
    {
      flag: "l1-endpoint",
      notBuilt: true,
      value: "URL",
      group: l1,
      summary: "L1 node; without it L1 is off and prices are fixed",
    },
    "http:// or https:// address",
    readUrl,
    null,
  ),
  l1GasPrice: valueOption(
    { flag: "l1-gas-price", value: "WEI", group: l1, summary: "fixed L1 gas price" },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  blobGasPrice: valueOption(
    { flag: "blob-gas-price", value: "WEI", group: l1, summary: "fixed L1 data gas price" },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  strkPerEth: valueOption(
    { flag: "strk-per-eth", value: "RATE", group: l1, summary: "fixed exchange rate" },
    "a number above zero",
    readRate,
    null,
  ),
  l2GasPrice: valueOption(
    {
      flag: "l2-gas-price",
      value: "FRI",
      group: l1,
      summary: "fixed L2 gas price: the same as overriding l2_gas_price",
    },
    GAS_PRICE,
    readBigint(U128_MAX),
    null,
  ),
  gasPricePoll: valueOption(
    {
      flag: "gas-price-poll",
      notBuilt: true,
      value: "DURATION",
      group: l1,
      summary: "time between two looks at L1's gas prices",
      defaultText: "10s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    10_000,
  ),
  devAccounts: valueOption(
    {
      flag: "dev-accounts",
      value: "N",
      group: dev,
      summary: "funded accounts of the genesis block",
      defaultText: "10 with --preset devnet, else none",
    },
    "integer from 0 to 100000",
    readInteger(0, 100_000),
    null,
  ),
  devSeed: valueOption(
    {
      flag: "dev-seed",
      value: "N",
      group: dev,
      summary: "seed of their keys: the same seed gives the same accounts",
    },
    "integer below 2^64",
    readBigint((1n << 64n) - 1n),
    0n,
  ),
  devBalance: valueOption(
    {
      flag: "dev-balance",
      value: "AMOUNT",
      group: dev,
      summary: "their balance of STRK and of ETH, in fri and wei",
    },
    "integer below 2^128",
    readBigint(U128_MAX),
    1_000_000_000_000_000_000_000n,
  ),
  configOut: valueOption(
    {
      flag: "config-out",
      value: "FILE",
      group: dev,
      summary:
        "write chain id, URLs, fee tokens and the development accounts with their keys there, as JSON for scripts",
    },
    "a file",
    readText,
    null,
  ),
  metricsPort: valueOption(
    {
      flag: "metrics-port",
      value: "PORT",
      group: endpoints,
      summary: "Prometheus endpoint on the local host; off turns it off",
    },
    PORT_OR_OFF,
    readPortOrOff,
    9615,
  ),
  metricsExternal: switchOption({
    flag: "metrics-external",
    group: endpoints,
    summary: "accept non-local metrics connections: listen on 0.0.0.0",
  }),
  gatewayPort: valueOption(
    {
      flag: "gateway-port",
      notBuilt: true,
      value: "PORT",
      group: endpoints,
      summary: "serve the feeder gateway and gateway, for full nodes to follow this one",
      defaultText: "off",
    },
    PORT_OR_OFF,
    readPortOrOff,
    null,
  ),
  gatewayExternal: switchOption({
    flag: "gateway-external",
    notBuilt: true,
    group: endpoints,
    summary: "accept non-local gateway connections: listen on 0.0.0.0",
  }),
  gatewayUrl: valueOption(
    {
      flag: "gateway-url",
      notBuilt: true,
      value: "URL",
      group: endpoints,
      summary:
        "full node: the sequencer's gateway, without /feeder_gateway; default from the chain configuration",
    },
    "http:// or https:// address",
    readUrl,
    null,
  ),
  syncStopAt: valueOption(
    {
      flag: "sync-stop-at",
      notBuilt: true,
      value: "BLOCK",
      group: endpoints,
      summary: "full node: take no block after this one",
    },
    "block number",
    readInteger(0, Number.MAX_SAFE_INTEGER),
    null,
  ),
  logLevel: valueOption(
    { flag: "log-level", value: "LEVEL", group: logs, summary: LOG_LEVELS.join(", ") },
    LOG_LEVELS.join(", "),
    readChoice(LOG_LEVELS),
    "info" as const,
  ),
  logFormat: valueOption(
    { flag: "log-format", value: "FORMAT", group: logs, summary: "text or json" },
    "text or json",
    readChoice(["text", "json"]),
    "text" as const,
  ),
};

/** The options of `node` and of the root form. */
export const nodeOptions = { sequencer: sequencerSwitch, ...sequencerOptions };
