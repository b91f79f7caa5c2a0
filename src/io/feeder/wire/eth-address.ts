import type { Codec } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { keccak256 } from "#protocol/crypto/index.ts";
import { felt } from "./numbers.ts";

const ADDRESS_LIMIT = 1n << 160n;

/**
 * An L1 address, with capitals by which a mistyped one is noticed. What has more than 160 bits is written
 * as any felt: contracts of the first eras sent messages to such addresses.
 *
 * Source: EIP-55.
 */
export const l1Address: Codec<Felt> = {
  describe: "L1 address (0x hex)",
  decode: (value, path) => felt.decode(value, path),
  encode(value) {
    if (value >= ADDRESS_LIMIT) return felt.encode(value);
    const digits = value.toString(16).padStart(40, "0");
    const hash = keccak256(new TextEncoder().encode(digits)).toHex();
    let text = "0x";
    for (let i = 0; i < digits.length; i++) {
      const digit = digits.charAt(i);
      text += hash.charAt(i) >= "8" ? digit.toUpperCase() : digit;
    }
    return text;
  },
};
