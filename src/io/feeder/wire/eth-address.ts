import { type Codec, mismatch } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { keccak256 } from "#protocol/crypto/index.ts";
import { felt } from "./numbers.ts";

const ADDRESS_LIMIT = 1n << 160n;

/** An L1 address: 160 bits. */
export const l1Address: Codec<bigint> = {
  describe: "L1 address (0x hex below 2^160)",
  decode(value, path) {
    const read = felt.decode(value, path);
    return read < ADDRESS_LIMIT ? read : mismatch(path, l1Address.describe, value);
  },
  encode: l1AddressText,
};

/**
 * The receiver of a message: an L1 address. Contracts of the first eras sent messages to felts that are
 * none.
 */
export const messageReceiver: Codec<Felt> = {
  describe: felt.describe,
  decode: (value, path) => felt.decode(value, path),
  encode: (value) => (value < ADDRESS_LIMIT ? l1AddressText(value) : felt.encode(value)),
};

/**
 * 20 bytes as hex, with capitals by which a mistyped address is noticed.
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
