export { describeError } from "./describe-error.ts";
export { LOG_LEVELS, type LogFields, type LogLevel } from "./log-line.ts";
export { createLogger, type LogFormat, type Logger, type LogThreshold } from "./logger.ts";
export type { L1Metrics } from "./l1-metrics.ts";
export { createNodeMetrics, type NodeMetrics } from "./metrics.ts";
export type { ReplicationMetrics } from "./replication-metrics.ts";
export type { SyncMetrics } from "./sync-metrics.ts";
