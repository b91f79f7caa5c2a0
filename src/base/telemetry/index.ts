export {
  createLogger,
  describeError,
  LOG_LEVELS,
  type LogFields,
  type LogFormat,
  type Logger,
  type LogLevel,
} from "./logger.ts";
export { createNodeMetrics, type NodeMetrics } from "./metrics.ts";
