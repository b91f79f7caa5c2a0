export type { ForkMetrics } from "./fork-metrics.ts";
export type { L1Metrics } from "./l1-metrics.ts";
export { createNodeMetrics, type NodeMetrics } from "./metrics.ts";
export type { ReplicationMetrics } from "./replication-metrics.ts";
export type { SyncMetrics } from "./sync-metrics.ts";
