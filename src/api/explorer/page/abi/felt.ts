/** Number of elements of the field: 2^251 + 17 * 2^192 + 1. Source: Starknet documentation, "Cairo". */
export const FIELD_PRIME: bigint = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Returns the felts of an untrusted JSON list in their order; entries that are no felts become 0. */
export function feltsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((felt) => feltText(felt)) : [];
}

/** Returns a felt in lower case without leading zeros; `0x0` for values that are no felt. */
export function feltText(value: unknown): string {
  if (!isFelt(value)) return "0x0";
  const digits = value.slice(2).replace(/^0+/, "").toLowerCase();
  return digits === "" ? "0x0" : `0x${digits}`;
}

/** Whether a value is the text of a number in hex of at most 64 digits. */
export function isFelt(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value);
}

/** Returns a number in hex. */
export function hexOf(value: bigint): string {
  return `0x${value.toString(16)}`;
}
