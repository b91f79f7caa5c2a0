import { type Decoder, keywordsOf, named, textOf } from "#base/codec/index.ts";
import { type PackedLegacyClass, packedLegacyClass } from "#protocol/chain/index.ts";

const packed = packedLegacyClass(
  textOf({ pattern: /^[A-Za-z0-9+/]*={0,2}$/, describe: "base64 text" }),
);

/**
 * Decoder of DEPRECATED_CONTRACT_CLASS of JSON-RPC 0.10 as broadcast; the program is checked later, when it is
 * decompressed.
 */
export const legacyClass: Decoder<PackedLegacyClass> = {
  ...packed,
  schema: named("SENT_DEPRECATED_CONTRACT_CLASS", () => keywordsOf(packed.schema)),
};
