import { createConsola, LogLevels } from "consola/core";
import { jsonLine } from "./json-line.ts";
import { LOG_LEVELS, type LogFields, type LogLevel } from "./log-line.ts";
import { textLine } from "./text-line.ts";

/** Writes log lines for operators. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** Creates a logger that prefixes each line with `scope`. */
  child(scope: string): Logger;
}

/** Format of log lines: for people or for log collectors. */
export type LogFormat = "text" | "json";

/**
 * Mutable log level shared by a logger and its children: they write this level and all more severe
 * ones.
 */
export interface LogThreshold {
  level: LogLevel;
}

/** Options of a logger. `write` receives whole lines without the line end. */
export interface LoggerOptions {
  /** Level; a threshold object may be changed while the logger and its children are in use. */
  readonly level: LogLevel | LogThreshold;
  readonly format: LogFormat;
  readonly scope?: string;
  readonly write?: (line: string, level: LogLevel) => void;
  /** Current time in milliseconds; for tests. */
  readonly nowMs?: () => number;
}

/**
 * Creates a logger over standard output and error: consola, with a reporter that writes each entry as one
 * line.
 *
 * It uses consola's core, without its terminal reporters and prompts.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { level, format, scope = "", write = writeLine, nowMs = Date.now } = options;
  const render = format === "json" ? jsonLine : textLine;
  const threshold = typeof level === "string" ? { level } : level;
  const consola = createConsola({
    // The reporter below filters by level: consola would filter only after building a log object.
    level: LogLevels.trace,
    defaults: { tag: scope },
    // Disables throttling, which holds back and counts equal lines.
    throttle: -Infinity,
    reporters: [
      {
        log({ date, type, tag, args }) {
          const [message, fields] = args as [string, LogFields];
          const lineLevel = type as LogLevel;
          write(render({ at: date, level: lineLevel, scope: tag, message, fields }), lineLevel);
        },
      },
    ],
  });
  const at = (lineLevel: LogLevel) => {
    const rank = LOG_LEVELS.indexOf(lineLevel);
    const log = consola[lineLevel];
    return (message: string, fields: LogFields = {}): void => {
      if (rank > LOG_LEVELS.indexOf(threshold.level)) return;
      log({ args: [message, fields], date: new Date(nowMs()) });
    };
  };
  return {
    error: at("error"),
    warn: at("warn"),
    info: at("info"),
    debug: at("debug"),
    child: (name) => createLogger({ ...options, scope: scope === "" ? name : `${scope}.${name}` }),
  };
}

/** Writes info to stdout, warnings and errors to stderr; each line is one write. */
function writeLine(line: string, level: LogLevel): void {
  const stream = level === "error" || level === "warn" ? process.stderr : process.stdout;
  stream.write(`${line}\n`);
}
