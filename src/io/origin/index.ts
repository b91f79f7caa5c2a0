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
export { ChannelOriginReader } from "./reader.ts";
export type { OriginChannel, OriginSource } from "./source.ts";
export { AnsweringChannel } from "./waiting/answering-channel.ts";
export type { OriginRequest } from "./waiting/messages.ts";
export { WaitingChannel, type WaitingChannelDeps } from "./waiting/waiting-channel.ts";
export type { OriginObserver, OriginState } from "./observer.ts";
export { type OriginCounts, type OriginReport, OriginTally } from "./tally.ts";
export { ORIGIN_NOT_HERE, UnreachableOrigin } from "./unreachable-origin.ts";
