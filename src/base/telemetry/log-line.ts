/** Severities in descending order; a logger writes its level and all more severe ones. */
export const LOG_LEVELS = ["error", "warn", "info", "debug", "trace"] as const;

/** A severity. `info` is for operators, `debug` is per request. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Flat fields of a log line; never keys, never raw network bytes. */
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/** Content of a log line, independent of its format. */
export interface LogLine {
  readonly at: Date;
  readonly level: LogLevel;
  /** Component that logs the line; empty for the program itself. */
  readonly scope: string;
  readonly message: string;
  readonly fields: LogFields;
}
