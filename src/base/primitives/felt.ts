/**
 * Element of the Stark field: an integer in `[0, FIELD_PRIME)`.
 *
 * A plain `bigint` on the host, 32 big-endian bytes on disk, four little-endian 64-bit limbs in the kernels.
 */
export type Felt = bigint;

/** P = 2^251 + 17 * 2^192 + 1, the prime of the Stark curve's field. */
export const FIELD_PRIME: bigint = (1n << 251n) + 17n * (1n << 192n) + 1n;

/** Exclusive bound of addresses and storage keys: 2^251 - 256 (Starknet docs, "Contract address"). */
export const ADDRESS_BOUND: bigint = (1n << 251n) - 256n;

/** Number of bytes of an encoded felt. */
export const FELT_BYTES = 32;

/** Formats a felt as hex without leading zeros (`0x0`, `0x1f`), as the JSON-RPC specification requires. */
export function hexFromFelt(value: Felt): string {
  return `0x${value.toString(16)}`;
}

/** Formats a felt as 64 hex digits, as execution errors show addresses and selectors. */
export function paddedHexFromFelt(value: Felt): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Ascending order, for `Array.prototype.sort`. */
export function compareFelts(left: Felt, right: Felt): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const FELT_HEX = /^0x[0-9a-fA-F]{1,64}$/;

/**
 * Reads `0x` hex text of at most 64 digits.
 *
 * @returns the felt, or `undefined` when the text is not hex or the value is not below the prime
 */
export function feltFromHex(text: string): Felt | undefined {
  if (!FELT_HEX.test(text)) return undefined;
  const value = BigInt(text);
  return value < FIELD_PRIME ? value : undefined;
}

/**
 * Encodes text as a felt ("short string"), first character highest. Callers must pass at most 31 ASCII
 * characters: other characters lose their high bits, and longer text yields more than 248 bits.
 */
export function feltFromShortString(text: string): Felt {
  let value = 0n;
  for (let i = 0; i < text.length; i++) value = (value << 8n) | BigInt(text.charCodeAt(i) & 0xff);
  return value;
}

/** Decodes a short string felt; bytes outside printable ASCII are kept. */
export function shortStringFromFelt(value: Felt): string {
  let text = "";
  for (let rest = value; rest > 0n; rest >>= 8n) {
    text = String.fromCharCode(Number(rest & 0xffn)) + text;
  }
  return text;
}
