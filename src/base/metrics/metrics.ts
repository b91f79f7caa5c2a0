import { createForkMetrics, type ForkMetrics } from "./fork-metrics.ts";
import { Counter, Gauge, Histogram, Registry } from "./prom-client.ts";
import { createL1Metrics, type L1Metrics } from "./l1-metrics.ts";
import { createReplicationMetrics, type ReplicationMetrics } from "./replication-metrics.ts";
import { createSyncMetrics, type SyncMetrics } from "./sync-metrics.ts";
import { TallyCounter, TallyHistogram } from "./tallies.ts";

/** Histogram buckets in seconds for requests and block production. */
const SECONDS_BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10];

/**
 * All metrics of a node. Each node has its own registry, because tests run several nodes in one process.
 *
 * Names follow the Prometheus metrics of the reference node with the `appchain_` prefix; times are in
 * seconds, sizes in bytes.
 */
export interface NodeMetrics {
  readonly registry: Registry;
  /** Always 1; the labels carry the information. */
  readonly nodeInfo: Gauge<"name" | "version" | "role" | "chain_id">;
  readonly l2BlockNumber: Gauge;
  readonly l2BlockAgeSeconds: Gauge;
  readonly transactionCount: Counter;
  readonly eventCount: Counter;
  readonly l1BlockNumber: Gauge;
  readonly l1GasPriceWei: Gauge;
  readonly l1GasPriceStrk: Gauge;
  readonly databaseSizeBytes: Gauge;
  readonly diskFreeBytes: Gauge;
  readonly mempoolTransactions: Gauge;
  readonly mempoolRefused: Counter<"code">;
  readonly mempoolRejected: Counter<"code">;
  readonly l1: L1Metrics;
  /** Forked chains only. */
  readonly fork: ForkMetrics;
  /** Full nodes only. */
  readonly sync: SyncMetrics;
  /** Sequencers only. */
  readonly replication: ReplicationMetrics;
  readonly clockJumps: Counter;
  readonly blockProductionSeconds: Histogram;
  readonly blockCommitSeconds: Histogram;
  readonly rpcCallsStarted: TallyCounter<"protocol" | "method">;
  readonly rpcCallsFinished: TallyCounter<"protocol" | "method" | "is_error">;
  readonly rpcCallsSeconds: TallyHistogram<"protocol" | "method">;
  /** Memory currently held for clients. */
  readonly clientBytes: Gauge;
  readonly gatewayRequests: Counter<"route" | "status">;
  readonly gatewayRequestSeconds: Histogram<"route">;
  readonly wsSessions: Gauge;
  readonly wsSessionsOpened: Counter;
  readonly wsSessionsClosed: Counter<"code">;
  readonly wsSlowClientsDropped: Counter;
  readonly wsActiveSubscriptions: Gauge<"method">;
  readonly wsSubscriptionsOpened: Counter<"method">;
  readonly wsNotificationsSent: Counter<"method">;
  readonly wsNotificationsWritten: Counter<"method">;
}

/** Declares every metric of the node in a fresh registry. */
export function createNodeMetrics(): NodeMetrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  const seconds = (name: string, help: string): Histogram =>
    new Histogram({ name, help, buckets: SECONDS_BUCKETS, registers });
  registerProcessGauges(registry);
  return {
    registry,
    nodeInfo: new Gauge({
      name: "appchain_node_info",
      help: "Always 1; the labels identify the node",
      labelNames: ["name", "version", "role", "chain_id"],
      registers,
    }),
    l2BlockNumber: gauge("appchain_l2_block_number", "Number of the newest accepted block"),
    l2BlockAgeSeconds: gauge(
      "appchain_l2_block_age_seconds",
      "Seconds since this node accepted the newest block, or since start",
    ),
    transactionCount: counter("appchain_transaction_count", "Transactions accepted since start"),
    eventCount: counter("appchain_event_count", "Events accepted since start"),
    l1BlockNumber: gauge("appchain_l1_block_number", "Newest block accepted on L1"),
    l1GasPriceWei: gauge("appchain_l1_gas_price", "L1 gas price of the next block in wei"),
    l1GasPriceStrk: gauge("appchain_l1_gas_price_strk", "L1 gas price of the next block in fri"),
    databaseSizeBytes: gauge("appchain_db_size", "Size of the database files in bytes"),
    diskFreeBytes: gauge(
      "appchain_disk_free_bytes",
      "Bytes that the node can still write to the disk of its data directory",
    ),
    mempoolTransactions: gauge(
      "appchain_mempool_transactions",
      "Transactions waiting in the mempool",
    ),
    mempoolRefused: new Counter({
      name: "appchain_mempool_refused",
      help: "Transactions refused at submission since start, by error",
      labelNames: ["code"],
      registers,
    }),
    mempoolRejected: new Counter({
      name: "appchain_mempool_rejected",
      help: "Received transactions since start that were dropped before inclusion in a block, by cause",
      labelNames: ["code"],
      registers,
    }),
    l1: createL1Metrics(registers),
    fork: createForkMetrics(registers),
    sync: createSyncMetrics(registers),
    replication: createReplicationMetrics(registers),
    clockJumps: counter(
      "appchain_clock_jumps",
      "Jumps of the wall clock since start: by more than 60 s relative to the monotonic clock, between two blocks",
    ),
    blockProductionSeconds: seconds(
      "appchain_block_production_seconds",
      "Time from opening a block to sealing it",
    ),
    blockCommitSeconds: seconds(
      "appchain_block_commit_seconds",
      "Time to compute the roots and hash of a block, store it and, with a publication gate, publish it",
    ),
    rpcCallsStarted: new TallyCounter({
      name: "appchain_rpc_calls_started",
      help: "JSON-RPC calls received",
      labelNames: ["protocol", "method"],
      registers,
    }),
    rpcCallsFinished: new TallyCounter({
      name: "appchain_rpc_calls_finished",
      help: "JSON-RPC calls answered",
      labelNames: ["protocol", "method", "is_error"],
      registers,
    }),
    rpcCallsSeconds: new TallyHistogram({
      name: "appchain_rpc_calls_time",
      help: "Time to answer a JSON-RPC call in seconds",
      labelNames: ["protocol", "method"],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    clientBytes: gauge(
      "appchain_client_bytes",
      "Bytes held for clients: requests, responses under construction, and responses not yet read by clients",
    ),
    gatewayRequests: new Counter({
      name: "appchain_gateway_requests",
      help: "Requests answered by the feeder gateway and gateway since start, by HTTP status",
      labelNames: ["route", "status"],
      registers,
    }),
    gatewayRequestSeconds: new Histogram({
      name: "appchain_gateway_request_time",
      help: "Time to answer a feeder gateway or gateway request in seconds",
      labelNames: ["route"],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    wsSessions: gauge("appchain_ws_sessions", "Open WebSocket connections"),
    wsSessionsOpened: counter(
      "appchain_ws_sessions_opened",
      "WebSocket connections opened since start",
    ),
    wsSessionsClosed: new Counter({
      name: "appchain_ws_sessions_closed",
      help: "WebSocket connections closed since start, by close code; 1006 means without a code",
      labelNames: ["code"],
      registers,
    }),
    wsSlowClientsDropped: counter(
      "appchain_ws_slow_clients_dropped",
      "WebSocket clients dropped since start because they read too slowly",
    ),
    wsActiveSubscriptions: new Gauge({
      name: "appchain_ws_active_subscriptions_by_method",
      help: "Current subscriptions",
      labelNames: ["method"],
      registers,
    }),
    wsSubscriptionsOpened: byMethod(
      "appchain_ws_subscriptions_opened",
      "Subscriptions opened since start",
      registers,
    ),
    wsNotificationsSent: byMethod(
      "appchain_ws_subscription_notifications_sent",
      "Notifications sent since start, counted per client",
      registers,
    ),
    wsNotificationsWritten: byMethod(
      "appchain_ws_subscription_notifications_written",
      "Notifications encoded since start: once for all clients of the same version",
      registers,
    ),
  };
}

function byMethod(name: string, help: string, registers: Registry[]): Counter<"method"> {
  return new Counter({ name, help, labelNames: ["method"], registers });
}

/** Memory, CPU time and age of the process, read when scraped. */
function registerProcessGauges(registry: Registry): void {
  const startedAt = Date.now() / 1000;
  const read = (name: string, help: string, value: () => number): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => gauge.set(value()),
    });
  };
  read("appchain_process_resident_memory_bytes", "Resident memory", () =>
    process.memoryUsage.rss(),
  );
  read("appchain_process_cpu_seconds", "CPU time used", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  read("appchain_process_start_time_seconds", "Start time since the epoch", () => startedAt);
}
