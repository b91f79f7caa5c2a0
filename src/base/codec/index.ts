export { ByteReader, uintFromBytes } from "./binary/reader.ts";
export { ByteWriter } from "./binary/writer.ts";
export {
  type Codec,
  convert,
  type Decoded,
  elementPath,
  isJsonObject,
  kindOf,
  lazy,
  memberPath,
  mismatch,
} from "./codec.ts";
export { type JsonValue, parseJson, stringifyJson } from "./json.ts";
export {
  address,
  bigInteger,
  bool,
  ethAddress,
  felt,
  finiteNumber,
  integer,
  json,
  literal,
  lookupNumber,
  storageKey,
  text,
  textOf,
  u128Hex,
  u64Hex,
} from "./scalars.ts";
export { array, mapOf, nullable, object, tagged, tuple, union } from "./structures.ts";
