/** Severities from loudest to quietest; a logger writes its level and all louder ones. */
export const LOG_LEVELS = ["error", "warn", "info", "debug", "trace"] as const;

/** A severity. `info` is for operators, `debug` is per request. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Flat fields of a log line; never keys, never raw network bytes. */
export type LogFields = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

/** What a line tells, apart from its form. */
export interface LogLine {
  readonly at: Date;
  readonly level: LogLevel;
  /** Who tells it; empty for the program. */
  readonly scope: string;
  readonly message: string;
  readonly fields: LogFields;
}
