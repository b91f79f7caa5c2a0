import type { LogLine } from "./log-line.ts";

/**
 * Characters that a terminal interprets: control characters, other line ends, lone surrogates, directions.
 */
const ACTED_ON = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Formats a log line for people: `2026-01-01 00:00:00.000 INFO  scope: message key=value`, in UTC. The result
 * is always one line: values may be untrusted text, such as a contract's revert reason.
 */
export function textLine({ at, level, scope, message, fields }: LogLine): string {
  const time = at.toISOString().slice(0, 23).replace("T", " ");
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${textValue(value ?? "")}`);
  const where = scope === "" ? "" : `${scope}: `;
  const line = `${time} ${level.toUpperCase().padEnd(5)} ${where}${message}${pairs.join("")}`;
  return escapeControls(line);
}

/** Escapes the characters of untrusted text that a terminal interprets. */
export function escapeControls(text: string): string {
  return text.replace(ACTED_ON, (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`);
}

function textValue(value: string | number | bigint | boolean): string {
  const text = String(value);
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}
