import { durationOption, integerOption, mibOption } from "./build-option.ts";

const group = "JSON-RPC limits";

const MAX_RATE = 1_000_000;

/** Same as MAX_METHOD_LIMITS of #api/rpc, which is not imported to keep all commands fast to start. */
const MAX_EVENTS = 100_000;
const MAX_TRANSACTIONS = 1_000;
const MAX_PROOF_KEYS = 10_000;

/** Options for the limits of clients of the JSON-RPC server. */
export const rpcLimitOptions = {
  maxRequestSizeBytes: mibOption(
    { flag: "rpc-max-request-size", group, summary: "maximum request body, MiB" },
    [1, 1024],
    15,
  ),
  maxResponseSizeBytes: mibOption(
    {
      flag: "rpc-max-response-size",
      group,
      summary: "maximum response body, MiB; longer traces are streamed",
    },
    [1, 1024],
    15,
  ),
  maxBatch: integerOption(
    { flag: "rpc-max-batch", group, summary: "maximum calls per batch; 0 refuses batches" },
    [0, 100_000],
    1_024,
  ),
  connections: {
    max: integerOption(
      {
        flag: "rpc-max-connections",
        group,
        summary: "maximum open connections; more are answered with 503 and closed",
      },
      [1, 65_535],
      1_000,
    ),
    maxPerAddress: integerOption(
      {
        flag: "rpc-max-connections-per-address",
        group,
        summary: "maximum open connections per IPv4 address or IPv6 /64; do not use behind a proxy",
        defaultText: "no separate limit",
      },
      [1, 65_535],
      Infinity,
    ),
  },
  /** Time limit of a running query, and of the wait in the queue. */
  timeoutMs: durationOption(
    {
      flag: "rpc-timeout",
      group,
      summary:
        "time limit of a call, estimate, trace or other query; one that runs longer is stopped, one that waits longer is refused",
    },
    ["1ms", "1h"],
    "30s",
  ),
  rateLimit: {
    perSecond: integerOption(
      {
        flag: "rpc-rate-limit",
        group,
        summary:
          "calls per second per IPv4 address or IPv6 /64, counting each call of a batch; 0 means no limit; do not use behind a proxy",
      },
      [0, MAX_RATE],
      0,
    ),
    burst: integerOption(
      {
        flag: "rpc-rate-burst",
        group,
        summary: "burst of calls that an address may make after a quiet period",
        defaultText: "what --rpc-rate-limit allows in 5 s",
      },
      [1, MAX_RATE],
      null,
    ),
  },
  methods: {
    maxEventsChunk: integerOption(
      { flag: "rpc-max-events-chunk", group, summary: "maximum events per page of getEvents" },
      [1, MAX_EVENTS],
      1_024,
    ),
    maxEventKeys: integerOption(
      {
        flag: "rpc-max-event-keys",
        group,
        summary: "maximum total of key positions and alternatives in a getEvents filter",
      },
      [1, MAX_EVENTS],
      1_024,
    ),
    maxTransactions: integerOption(
      {
        flag: "rpc-max-transactions",
        group,
        summary: "maximum transactions per estimateFee or simulateTransactions",
      },
      [1, MAX_TRANSACTIONS],
      100,
    ),
    maxProofKeys: integerOption(
      {
        flag: "rpc-max-proof-keys",
        group,
        summary: "maximum total of classes, contracts and storage keys per getStorageProof",
      },
      [1, MAX_PROOF_KEYS],
      100,
    ),
  },
};
