import { type Decoder, keywordsOf, named, textOf } from "#base/codec/index.ts";
import { type LegacyClass, packedLegacyClass } from "#protocol/chain/index.ts";

/** Most characters of a program as base64; Starknet's limit of a class object. */
const MAX_BASE64_LENGTH = 4_089_446;

/** Most bytes of a program that is unpacked: several times that of any class of the networks. */
const MAX_PROGRAM_BYTES = 20 << 20;

const packed = packedLegacyClass(
  textOf({
    pattern: /^[A-Za-z0-9+/]*={0,2}$/,
    maxLength: MAX_BASE64_LENGTH,
    describe: `base64 text of at most ${MAX_BASE64_LENGTH} characters`,
  }),
  MAX_PROGRAM_BYTES,
);

/** DEPRECATED_CONTRACT_CLASS as it is sent. */
export const legacyClass: Decoder<LegacyClass> = {
  ...packed,
  schema: named("SENT_DEPRECATED_CONTRACT_CLASS", () => keywordsOf(packed.schema)),
};
