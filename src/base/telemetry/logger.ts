import { createConsola, LogLevels } from "consola/core";
import { jsonLine } from "./json-line.ts";
import { LOG_LEVELS, type LogFields, type LogLevel } from "./log-line.ts";
import { textLine } from "./text-line.ts";

/** Writes operator-facing lines. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** A logger that puts `scope` in front of each line. */
  child(scope: string): Logger;
}

/** Form of the lines: for people or for log collectors. */
export type LogFormat = "text" | "json";

/** The quietest lines that are written now. */
export interface LogThreshold {
  level: LogLevel;
}

/** How a logger behaves. `write` receives whole lines without the line end. */
export interface LoggerOptions {
  /** A threshold may be changed while the logger and its children are used. */
  readonly level: LogLevel | LogThreshold;
  readonly format: LogFormat;
  readonly scope?: string;
  readonly write?: (line: string, level: LogLevel) => void;
  /** Current time in milliseconds; for tests. */
  readonly nowMs?: () => number;
}

/**
 * A logger over standard output and error: consola, with a reporter that writes each line as one.
 *
 * It is consola's core, without the reporters that look for a terminal and without prompts.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { level, format, scope = "", write = writeLine, nowMs = Date.now } = options;
  const render = format === "json" ? jsonLine : textLine;
  const threshold = typeof level === "string" ? { level } : level;
  const consola = createConsola({
    // What is dropped is decided below: consola drops it after the work of making an object of it.
    level: LogLevels.trace,
    defaults: { tag: scope },
    // Otherwise equal lines are held back and counted.
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

/** Info goes to stdout, warnings and errors to stderr, each line in one write. */
function writeLine(line: string, level: LogLevel): void {
  const stream = level === "error" || level === "warn" ? process.stderr : process.stdout;
  stream.write(`${line}\n`);
}
