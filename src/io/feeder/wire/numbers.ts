import { array, bigInteger, type Codec, mismatch } from "#base/codec/index.ts";
import { type Felt, FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";

/** Maximum length of `0x` hex text: 64 digits, leading zeros included. */
const MAX_HEX_LENGTH = 66;

/** Maximum length of decimal text: the digits of the prime. */
const MAX_DECIMAL_LENGTH = 76;

const ZERO = 0x30;
const NINE = 0x39;
const LOWER_X = 0x78;

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

function isHexDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);
}

/**
 * Parses `0x` hex or decimal text. `BigInt` accepts more (surrounding spaces, `0b1`), so the first and last
 * characters are checked before. A regular expression would take longer than parsing the number.
 *
 * @returns `undefined` for any other text
 */
function numberOf(text: string): bigint | undefined {
  const { length } = text;
  const isHex = text.charCodeAt(1) === LOWER_X;
  const isForm = isHex
    ? length <= MAX_HEX_LENGTH && text.charCodeAt(0) === ZERO
    : length > 0 && length <= MAX_DECIMAL_LENGTH && isDigit(text.charCodeAt(0));
  if (!isForm || !isHexDigit(text.charCodeAt(length - 1))) return undefined;
  // The letters of other bases (`0b`, `0o`, `0X`) come second.
  if (!isHex && length > 1 && !isDigit(text.charCodeAt(1))) return undefined;
  try {
    return BigInt(text);
  } catch {
    return undefined;
  }
}

/** Codec of a number below `bound`: reads `0x` hex or decimal, writes `0x` hex without leading zeros. */
function below(bound: bigint, describe: string): Codec<bigint> {
  return {
    describe,
    decode(value, path) {
      const read = typeof value === "string" ? numberOf(value) : undefined;
      return read !== undefined && read < bound ? read : mismatch(path, describe, value);
    },
    encode: hexFromFelt,
  };
}

/** Codec of a felt in a gateway's JSON; also reads decimal text. */
export const felt: Codec<Felt> = below(FIELD_PRIME, "felt (0x hex or decimal below the prime)");

/** Codec of a trie key in a state diff: contract address, storage key or class hash. */
export const trieKey: Codec<Felt> = below(1n << 251n, "trie key (0x hex below 2^251)");

/** Codec of a contract address, below 2^251: the state trie has 2^251 leaves. */
export const address: Codec<Felt> = below(1n << 251n, "contract address (0x hex below 2^251)");

/** Codec of a price or a fee, as 0x hex below 2^128. */
export const u128: Codec<bigint> = below(1n << 128n, "128-bit number (0x hex)");

/** Codec of a gas amount or a tip in a transaction, as 0x hex below 2^64. */
export const u64: Codec<bigint> = below(1n << 64n, "64-bit number (0x hex)");

/** Codec of a gas amount in a receipt: a JSON number, not text, below 2^64. */
export const gasAmount: Codec<bigint> = bigInteger(0n, (1n << 64n) - 1n);

/** Codec of a list of felts. */
export const felts: Codec<readonly Felt[]> = array(felt);
