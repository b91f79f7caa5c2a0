import { DecodeError } from "#base/errors/index.ts";
import { type Decoder, isJsonObject, text } from "#base/codec/index.ts";
import {
  type ContractClass,
  packedLegacyClass,
  sierraClassCodec,
  unpackLegacyClass,
} from "#protocol/chain/index.ts";

/** Maximum size of a decompressed class in bytes: several times any class of the public networks. */
const MAX_CLASS_BYTES = 64 << 20;

const packed = packedLegacyClass(text);

/** Decodes CONTRACT_CLASS or DEPRECATED_CONTRACT_CLASS. */
export const remoteClass: Decoder<ContractClass> = {
  describe: "class",
  decode(value, path) {
    const isSierra = isJsonObject(value) && Object.hasOwn(value, "sierra_program");
    if (isSierra) return sierraClassCodec.decode(value, path);
    const unpacked = unpackLegacyClass(packed.decode(value, path), MAX_CLASS_BYTES);
    if (unpacked !== undefined) return unpacked.contractClass;
    throw new DecodeError(path, `Cairo 0 class of at most ${MAX_CLASS_BYTES} bytes`);
  },
};
