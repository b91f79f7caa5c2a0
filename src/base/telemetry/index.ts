export { describeError } from "./describe-error.ts";
export { LOG_LEVELS, type LogFields, type LogLevel } from "./log-line.ts";
export { createLogger, type LogFormat, type Logger, type LogThreshold } from "./logger.ts";
export { loggable, LogRateLimiter } from "./log-rate-limiter.ts";
export { escapeControls } from "./text-line.ts";
