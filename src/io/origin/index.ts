export {
  type OriginEventQuery,
  type OriginQuery,
  type OriginQueryKind,
  originQueryText,
} from "./query.ts";
export {
  decodeLocation,
  decodeNumber,
  decodeOriginBlock,
  decodeOriginClass,
  encodeLocation,
  encodeNumber,
  encodeOriginBlock,
  encodeOriginClass,
  type OriginClass,
} from "./values.ts";
