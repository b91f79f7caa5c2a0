import type { LogLine } from "./log-line.ts";

/** Formats a log line as one JSON object for log collectors; a `bigint` becomes a decimal string. */
export function jsonLine({ at, level, scope, message, fields }: LogLine): string {
  const plain: Record<string, string | number | boolean | undefined> = {};
  for (const [key, value] of Object.entries(fields)) {
    plain[key] = typeof value === "bigint" ? value.toString() : value;
  }
  return JSON.stringify({
    time: at.toISOString(),
    level,
    ...(scope === "" ? {} : { scope }),
    message,
    ...plain,
  });
}
