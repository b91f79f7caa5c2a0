import { DURATION_FORM } from "#protocol/config/index.ts";
import { readDuration, readInteger, valueOption } from "./option.ts";

const group = "JSON-RPC limits";

const MAX_TIMEOUT_MS = 3_600_000;
const MAX_RATE = 1_000_000;

/** Same as MAX_METHOD_LIMITS of #api/rpc, which is not imported to keep all commands fast to start. */
const MAX_EVENTS = 100_000;
const MAX_TRANSACTIONS = 1_000;
const MAX_PROOF_KEYS = 10_000;

/** Above this, the machine's counters would not be exact. */
const MAX_STEPS = 1_000_000_000;

/** Limits for clients of the JSON-RPC server. */
export const rpcLimitOptions = {
  rpcMaxRequestSize: valueOption(
    { flag: "rpc-max-request-size", value: "MIB", group, summary: "maximum request body, MiB" },
    "MiB from 1 to 1024",
    readInteger(1, 1024),
    15,
  ),
  rpcMaxResponseSize: valueOption(
    {
      flag: "rpc-max-response-size",
      value: "MIB",
      group,
      summary: "maximum response body, MiB; longer traces are streamed",
    },
    "MiB from 1 to 1024",
    readInteger(1, 1024),
    15,
  ),
  rpcMaxBatch: valueOption(
    {
      flag: "rpc-max-batch",
      value: "N",
      group,
      summary: "maximum calls per batch; 0 refuses batches",
    },
    "integer from 0 to 100000",
    readInteger(0, 100_000),
    1_024,
  ),
  rpcMaxConnections: valueOption(
    {
      flag: "rpc-max-connections",
      value: "N",
      group,
      summary: "maximum open connections; more are answered with 503 and closed",
    },
    "integer from 1 to 65535",
    readInteger(1, 65_535),
    1_000,
  ),
  rpcMaxConnectionsPerAddress: valueOption(
    {
      flag: "rpc-max-connections-per-address",
      value: "N",
      group,
      summary: "maximum open connections per IPv4 address or IPv6 /64; do not use behind a proxy",
      defaultText: "no separate limit",
    },
    "integer from 1 to 65535",
    readInteger(1, 65_535),
    null,
  ),
  rpcTimeout: valueOption(
    {
      flag: "rpc-timeout",
      value: "DURATION",
      group,
      summary:
        "time limit of a call, estimate, trace or other query; one that runs longer is stopped, one that waits longer is refused",
      defaultText: "30s",
    },
    `${DURATION_FORM}, above zero and at most 1h`,
    readDuration(1, MAX_TIMEOUT_MS),
    30_000,
  ),
  rpcRateLimit: valueOption(
    {
      flag: "rpc-rate-limit",
      value: "N",
      group,
      summary:
        "calls per second per IPv4 address or IPv6 /64, counting each call of a batch; 0 means no limit; do not use behind a proxy",
    },
    `integer from 0 to ${MAX_RATE}`,
    readInteger(0, MAX_RATE),
    0,
  ),
  rpcRateBurst: valueOption(
    {
      flag: "rpc-rate-burst",
      value: "N",
      group,
      summary: "burst of calls that an address may make after a quiet period",
      defaultText: "what --rpc-rate-limit allows in 5 s",
    },
    `integer from 1 to ${MAX_RATE}`,
    readInteger(1, MAX_RATE),
    null,
  ),
  rpcMaxEventsChunk: valueOption(
    {
      flag: "rpc-max-events-chunk",
      value: "N",
      group,
      summary: "maximum events per page of getEvents",
    },
    `integer from 1 to ${MAX_EVENTS}`,
    readInteger(1, MAX_EVENTS),
    1_024,
  ),
  rpcMaxEventKeys: valueOption(
    {
      flag: "rpc-max-event-keys",
      value: "N",
      group,
      summary: "maximum total of key positions and alternatives in a getEvents filter",
    },
    `integer from 1 to ${MAX_EVENTS}`,
    readInteger(1, MAX_EVENTS),
    1_024,
  ),
  rpcMaxTransactions: valueOption(
    {
      flag: "rpc-max-transactions",
      value: "N",
      group,
      summary: "maximum transactions per estimateFee or simulateTransactions",
    },
    `integer from 1 to ${MAX_TRANSACTIONS}`,
    readInteger(1, MAX_TRANSACTIONS),
    100,
  ),
  rpcMaxProofKeys: valueOption(
    {
      flag: "rpc-max-proof-keys",
      value: "N",
      group,
      summary: "maximum total of classes, contracts and storage keys per getStorageProof",
    },
    `integer from 1 to ${MAX_PROOF_KEYS}`,
    readInteger(1, MAX_PROOF_KEYS),
    100,
  ),
  maxSteps: valueOption(
    {
      flag: "max-steps",
      value: "N",
      group,
      summary:
        "maximum Cairo steps of a call, and of an estimated or simulated transaction if below the chain's limit",
      defaultText: "the chain's limit",
    },
    `integer from 1 to ${MAX_STEPS}`,
    readInteger(1, MAX_STEPS),
    null,
  ),
};
