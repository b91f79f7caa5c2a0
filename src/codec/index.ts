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
  refine,
} from "./codec.ts";
export {
  DEFAULT_JSON_DEPTH,
  type JsonLimits,
  type JsonValue,
  parseJson,
  stringifyJson,
} from "./json.ts";
export {
  address,
  bigInteger,
  bool,
  ethAddress,
  felt,
  finiteNumber,
  hexBelow,
  integer,
  json,
  literal,
  storageKey,
  text,
  textOf,
  u128Hex,
  u64Hex,
} from "./scalars.ts";
export {
  array,
  mapOf,
  type Members,
  nullable,
  object,
  type ObjectOf,
  tagged,
  tuple,
  union,
  type UnknownMembers,
} from "./structures.ts";
export * from "./binary/index.ts";
