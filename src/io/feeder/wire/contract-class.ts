import {
  type Decoder,
  isJsonObject,
  type JsonValue,
  stringifyJson,
  text,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type ContractClass,
  packedLegacyClass,
  parseLegacyClass,
  sierraClassCodec,
  unpackLegacyClass,
} from "#protocol/chain/index.ts";

/** Maximum size of a decompressed class in bytes: several times any class of the public networks. */
const MAX_CLASS_BYTES = 64 << 20;

const packed = packedLegacyClass(text);

/** Decodes a Cairo 0 class, whose program is an object, or compressed as in a declaration. */
const legacyClass: Decoder<ContractClass> = {
  describe: "Cairo 0 class",
  decode(value, path) {
    const program = isJsonObject(value) ? value["program"] : undefined;
    if (isJsonObject(program)) return { kind: "legacy", json: stringifyJson(value as JsonValue) };
    const unpacked = unpackLegacyClass(packed.decode(value, path), MAX_CLASS_BYTES);
    if (unpacked !== undefined) return unpacked.contractClass;
    throw new DecodeError("program", `a class of at most ${MAX_CLASS_BYTES} bytes`);
  },
};

/**
 * Decodes the response of get_class_by_hash, for Sierra and Cairo 0 classes. For a Cairo 0 class only the
 * presence of the program is checked; hashing it parses the rest.
 *
 * @throws {DecodeError} naming the first invalid place
 */
export function readGatewayClass(value: JsonValue): ContractClass {
  const isSierra = isJsonObject(value) && Object.hasOwn(value, "sierra_program");
  return (isSierra ? sierraClassCodec : legacyClass).decode(value, "");
}

/**
 * Encodes the response of get_class_by_hash. Readers require an ABI: a Cairo 0 class without one gets `null`,
 * which has the same hash.
 *
 * @throws {DecodeError} when the text of a Cairo 0 class is not a JSON object
 */
export function writeGatewayClass(contractClass: ContractClass): JsonValue {
  if (contractClass.kind === "sierra") return sierraClassCodec.encode(contractClass);
  const { value } = parseLegacyClass(contractClass);
  return value["abi"] === undefined ? { abi: null, ...value } : value;
}
