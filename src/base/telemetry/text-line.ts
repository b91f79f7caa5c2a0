import type { LogLine } from "./log-line.ts";

/** A line for people: `2026-01-01 00:00:00.000 INFO  scope: message key=value`, in UTC. */
export function textLine({ at, level, scope, message, fields }: LogLine): string {
  const time = at.toISOString().slice(0, 23).replace("T", " ");
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${textValue(value ?? "")}`);
  const where = scope === "" ? "" : `${scope}: `;
  return `${time} ${level.toUpperCase().padEnd(5)} ${where}${message}${pairs.join("")}`;
}

function textValue(value: string | number | bigint | boolean): string {
  const text = String(value);
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}
