import type { JsonValue } from "#base/codec/index.ts";

/**
 * JSON text with the separators of Python's `json.dumps`: `", "` and `": "`. Compilers write an ABI as JSON,
 * and tools that declare a class turn it into this text, which the class hash covers. Members keep their
 * order; text is escaped only where JSON requires it.
 */
export function pythonicJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(pythonicJson).join(", ")}]`;
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}: ${pythonicJson(member)}`);
  }
  return `{${members.join(", ")}}`;
}
