export { describeError } from "./describe-error.ts";
export { LOG_LEVELS, type LogFields, type LogLevel } from "./log-line.ts";
export { createLogger, type LogFormat, type Logger } from "./logger.ts";
export { createNodeMetrics, type NodeMetrics } from "./metrics.ts";
