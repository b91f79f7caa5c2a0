import { Counter, Gauge, Histogram, type Registry } from "./prom-client.ts";

/** Histogram buckets in seconds; a gateway may queue a request. */
const SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of full nodes that follow a chain; all 0 on other nodes. */
export interface SyncMetrics {
  readonly importedBlocks: Counter;
  readonly seconds: Gauge;
  readonly averageSeconds: Gauge;
  readonly latestSeconds: Gauge;
  readonly highestBlock: Gauge;
  readonly lagBlocks: Gauge;
  readonly stageSeconds: Histogram<"stage">;
  readonly refused: Gauge<"check">;
  readonly preConfirmedDropped: Counter<"check">;
  readonly gatewayRequests: Counter<"route" | "outcome">;
  readonly gatewaySeconds: Histogram<"route">;
}

/** Declares the metrics of following a chain. */
export function createSyncMetrics(registers: Registry[]): SyncMetrics {
  return {
    importedBlocks: new Counter({
      name: "appchain_sync_imported_blocks",
      help: "Blocks imported from a gateway since start",
      registers,
    }),
    seconds: new Gauge({
      name: "appchain_l2_sync_time",
      help: "Seconds from start to the newest block imported from a gateway",
      registers,
    }),
    averageSeconds: new Gauge({
      name: "appchain_l2_avg_sync_time",
      help: "Average seconds between two imported blocks since start",
      registers,
    }),
    latestSeconds: new Gauge({
      name: "appchain_l2_latest_sync_time",
      help: "Seconds between the two newest imported blocks",
      registers,
    }),
    highestBlock: new Gauge({
      name: "appchain_sync_highest_block",
      help: "Number of the newest block reported by a gateway",
      registers,
    }),
    lagBlocks: new Gauge({
      name: "appchain_sync_lag_blocks",
      help: "Blocks reported by a gateway that are not stored yet",
      registers,
    }),
    stageSeconds: new Histogram({
      name: "appchain_sync_stage_seconds",
      help: "Time that a stage spent on a block: fetch, check, execute, apply",
      labelNames: ["stage"],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    refused: new Gauge({
      name: "appchain_sync_refused",
      help: "1 while the next block is refused, by the check that it failed",
      labelNames: ["check"],
      registers,
    }),
    preConfirmedDropped: new Counter({
      name: "appchain_sync_preconfirmed_dropped",
      help: "Invalid pre-confirmed blocks dropped since start, by the check that they failed",
      labelNames: ["check"],
      registers,
    }),
    gatewayRequests: new Counter({
      name: "appchain_sync_gateway_requests",
      help: "Requests to gateways since start, by outcome: answered, throttled, failed",
      labelNames: ["route", "outcome"],
      registers,
    }),
    gatewaySeconds: new Histogram({
      name: "appchain_sync_gateway_request_seconds",
      help: "Duration of a request to a gateway",
      labelNames: ["route"],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
  };
}
