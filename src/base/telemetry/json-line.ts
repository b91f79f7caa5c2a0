import type { LogLine } from "./log-line.ts";

/** Formats a log line for collectors: one JSON object; a bigint is text. */
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
