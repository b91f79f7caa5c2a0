import { type Decoder, isJsonObject, text } from "#base/codec/index.ts";
import { type ContractClass, packedLegacyClass, sierraClassCodec } from "#protocol/chain/index.ts";

/** Most bytes of a program that is unpacked: several times that of any class of the networks. */
const MAX_PROGRAM_BYTES = 64 << 20;

const legacyClass = packedLegacyClass(text, MAX_PROGRAM_BYTES);

/** CONTRACT_CLASS or DEPRECATED_CONTRACT_CLASS. */
export const toldClass: Decoder<ContractClass> = {
  describe: "class",
  decode(value, path) {
    const isSierra = isJsonObject(value) && Object.hasOwn(value, "sierra_program");
    return (isSierra ? sierraClassCodec : legacyClass).decode(value, path);
  },
};
