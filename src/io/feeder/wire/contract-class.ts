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

/** Most bytes of a class that is unpacked: several times that of any class of the networks. */
const MAX_CLASS_BYTES = 64 << 20;

const packed = packedLegacyClass(text);

/** A Cairo 0 class: its program an object, or packed as in a declaration. */
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
 * The answer to get_class_by_hash, of both generations. Of a Cairo 0 class nothing is looked at but that
 * it has a program: whoever hashes it reads the rest.
 *
 * @throws {DecodeError} naming the first wrong place
 */
export function readGatewayClass(value: JsonValue): ContractClass {
  const isSierra = isJsonObject(value) && Object.hasOwn(value, "sierra_program");
  return (isSierra ? sierraClassCodec : legacyClass).decode(value, "");
}

/**
 * The answer to get_class_by_hash. Readers want an ABI where a Cairo 0 class has none: `null` has the
 * same hash.
 *
 * @throws {DecodeError} when the text of a Cairo 0 class is no JSON object
 */
export function writeGatewayClass(contractClass: ContractClass): JsonValue {
  if (contractClass.kind === "sierra") return sierraClassCodec.encode(contractClass);
  const { value } = parseLegacyClass(contractClass);
  return value["abi"] === undefined ? { abi: null, ...value } : value;
}
