import type { JsonValue } from "#base/codec/index.ts";

/** SHA-256 (hex) of a value's JSON text with sorted members; independent of the layout of its file. */
export function canonicalHash(value: JsonValue): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(sorted(value))).digest("hex");
}

function sorted(value: JsonValue): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value as Readonly<Record<string, JsonValue>>);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return entries.map(([name, member]) => [name, sorted(member)]);
}
