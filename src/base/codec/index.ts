export { ByteReader, uintFromBytes } from "./binary/reader.ts";
export { ByteWriter } from "./binary/writer.ts";
export {
  type Codec,
  convert,
  type Decoded,
  type Decoder,
  elementPath,
  isCodec,
  isJsonObject,
  kindOf,
  memberPath,
  mismatch,
} from "./codec.ts";
export { type JsonObject, type JsonValue, parseJson, stringifyJson } from "./json.ts";
export {
  JsonElements,
  JsonLater,
  JsonList,
  JsonPieces,
  type JsonSource,
  type JsonSourceObject,
} from "./json-pieces.ts";
export { object, strictObject } from "./object.ts";
export {
  isNamed,
  keywordsOf,
  named,
  type NamedSchema,
  objectSchema,
  type Schema,
  type SchemaKeywords,
  sentHexSchema,
} from "./schema.ts";
export {
  address,
  bigInteger,
  bool,
  ethAddress,
  felt,
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
export { array, mapOf, nullable, tuple, union } from "./structures.ts";
export {
  JsonReader,
  type JsonReaderLimits,
  type JsonScalar,
  type TextVisitor,
} from "./stream/json-reader.ts";
export { arrived, PENDING, type Pending, type Reading } from "./stream/pending.ts";
export { readJsonStream } from "./stream/read-stream.ts";
export {
  requireMembers,
  streamArray,
  streamConvert,
  type StreamDecoder,
  type Streamed,
  type StreamedObject,
  type StreamMembers,
  streamObject,
  streamScalar,
  streamWhole,
} from "./stream/stream-decoder.ts";
