import { type Codec, mismatch } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { keccak256 } from "#protocol/crypto/index.ts";
import { felt } from "./numbers.ts";

const ADDRESS_LIMIT = 1n << 160n;

/** Codec of a 160-bit L1 address. */
export const l1Address: Codec<bigint> = {
  describe: "L1 address (0x hex below 2^160)",
  decode(value, path) {
    const read = felt.decode(value, path);
    return read < ADDRESS_LIMIT ? read : mismatch(path, l1Address.describe, value);
  },
  encode: l1AddressText,
};

/**
 * Codec of a message's receiver, an L1 address. Early contracts sent messages to felts that are not L1
 * addresses.
 */
export const messageReceiver: Codec<Felt> = {
  describe: felt.describe,
  decode: (value, path) => felt.decode(value, path),
  encode: (value) => (value < ADDRESS_LIMIT ? l1AddressText(value) : felt.encode(value)),
};

/**
 * Formats an L1 address as hex with its checksum encoded in capital letters.
 *
 * Source: EIP-55.
 */
export function l1AddressText(value: bigint): string {
  const digits = value.toString(16).padStart(40, "0");
  const hash = keccak256(new TextEncoder().encode(digits)).toHex();
  let text = "0x";
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    text += hash.charAt(i) >= "8" ? digit.toUpperCase() : digit;
  }
  return text;
}
