import { isJsonObject, type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { printable } from "./printable.ts";

/**
 * Formats a JSON-RPC error for a terminal: code and message, then its data with a line per member and
 * multi-line texts unfolded. Everything that a terminal would interpret is escaped.
 */
export function rpcErrorText(error: JsonValue): string {
  if (!isJsonObject(error) || error["message"] === undefined) return stringifyJson(error, 2);
  const { code = "?", message, data } = error as Readonly<Record<string, JsonValue | undefined>>;
  const lines = [`error ${scalar(code)}: ${scalar(message ?? "")}`.trimEnd()];
  if (data !== undefined && data !== null) lines.push(...linesOf(data).map(indented));
  return lines.map(printable).join("\n");
}

function linesOf(value: JsonValue): readonly string[] {
  if (typeof value === "string") return value.trimEnd().split("\n");
  if (typeof value !== "object" || value === null) return [scalar(value)];
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((item) => member("-", item));
  }
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return members.flatMap(([name, inner]) => member(`${name.replaceAll("\n", "\\n")}:`, inner));
}

/** Uses one line if the value has one. */
function member(name: string, value: JsonValue): readonly string[] {
  const [first = "", ...rest] = linesOf(value);
  const isOneLine = rest.length === 0 && (typeof value !== "object" || value === null);
  if (isOneLine) return [`${name} ${first}`.trimEnd()];
  return [name, ...(first === "" && rest.length === 0 ? [] : [first, ...rest].map(indented))];
}

function scalar(value: JsonValue): string {
  return typeof value === "string" ? value.replaceAll("\n", "\\n") : stringifyJson(value);
}

function indented(line: string): string {
  return line === "" ? "" : `  ${line}`;
}
