import { type Check, hex, integer, StrictReaderError } from "./checks.ts";

const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Strict check of a felt in hex. */
export const felt = hex(32, PRIME);

/** Strict check of a felt of 251 bits in hex: addresses, storage keys, class hashes. */
export const felt251 = hex(32, 2n ** 251n);

/** Strict check of a felt in hex or decimal digits. */
export const anyFelt: Check = (value, path) => {
  const isDecimal = typeof value === "string" && /^\d+$/.test(value);
  if (!isDecimal) return felt(value, path);
  if (BigInt(value) >= PRIME) throw new StrictReaderError(path, "felt");
};

/** Strict check of an amount of 64 bits in hex. */
export const hex64 = hex(8);

/** Strict check of a price in hex. */
export const hex128 = hex(16);

/** Strict check of an L1 address: at most 40 digits. */
export const l1Address = hex(20);

/** Strict check of a height, an index or a time: 63 bits. */
export const height = integer(0n, 2n ** 63n - 1n);

/** Strict check of a counter: an integer of 64 bits. */
export const u64 = integer(0n, 2n ** 64n - 1n);

/** Strict check of an amount of gas in a receipt: an integer of 128 bits. */
export const u128 = integer(0n, 2n ** 128n - 1n);

/**
 * Strict check of a protocol version: three or four numbers with dots; empty for the first blocks.
 */
export const protocolVersion: Check = (value, path) => {
  if (typeof value !== "string" || !/^(\d{1,3}(\.\d{1,3}){2,3})?$/.test(value)) {
    throw new StrictReaderError(path, "protocol version");
  }
};
