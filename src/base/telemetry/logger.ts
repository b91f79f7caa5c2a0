import { inspect } from "node:util";

/** Severities from loudest to quietest; a logger writes its level and all louder ones. */
export const LOG_LEVELS = ["error", "warn", "info", "debug", "trace"] as const;

/** A severity. `info` is for operators, `debug` is per request. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Flat facts of a log line; never keys, never raw network bytes. */
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

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

/** How a logger behaves. `write` receives whole lines without the line end. */
export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly scope?: string;
  readonly write?: (line: string, level: LogLevel) => void;
  /** Current time in milliseconds; for tests. */
  readonly nowMs?: () => number;
}

/** Info goes to stdout, warnings and errors to stderr, each line in one write. */
function writeLine(line: string, level: LogLevel): void {
  const stream = level === "error" || level === "warn" ? process.stderr : process.stdout;
  stream.write(`${line}\n`);
}

function textValue(value: string | number | bigint | boolean): string {
  const text = String(value);
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}

function formatText(
  atMs: number,
  level: LogLevel,
  scope: string,
  message: string,
  fields: LogFields,
): string {
  const time = new Date(atMs).toISOString().slice(0, 23).replace("T", " ");
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${textValue(value ?? "")}`);
  const where = scope === "" ? "" : `${scope}: `;
  return `${time} ${level.toUpperCase().padEnd(5)} ${where}${message}${pairs.join("")}`;
}

function formatJson(
  atMs: number,
  level: LogLevel,
  scope: string,
  message: string,
  fields: LogFields,
): string {
  const plain: Record<string, string | number | boolean | undefined> = {};
  for (const [key, value] of Object.entries(fields)) {
    plain[key] = typeof value === "bigint" ? value.toString() : value;
  }
  return JSON.stringify({
    time: new Date(atMs).toISOString(),
    level,
    ...(scope === "" ? {} : { scope }),
    message,
    ...plain,
  });
}

/** A logger over standard output and error. */
export function createLogger(options: LoggerOptions): Logger {
  const { level, format, scope = "", write = writeLine, nowMs = Date.now } = options;
  const limit = LOG_LEVELS.indexOf(level);
  const render = format === "json" ? formatJson : formatText;
  const at =
    (lineLevel: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(lineLevel) > limit) return;
      write(render(nowMs(), lineLevel, scope, message, fields), lineLevel);
    };
  return {
    error: at("error"),
    warn: at("warn"),
    info: at("info"),
    debug: at("debug"),
    child: (name) => createLogger({ ...options, scope: scope === "" ? name : `${scope}.${name}` }),
  };
}

/** One line that describes any thrown value, with the chain of causes and without a stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 1, breakLength: Infinity });
  const cause = error.cause === undefined ? "" : ` (caused by ${describeError(error.cause)})`;
  return `${error.message}${cause}`;
}
