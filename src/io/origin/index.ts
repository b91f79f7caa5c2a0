export { FetchedValues } from "./fetched-values.ts";
export { ForkCache, type ForkCacheOptions } from "./fork-cache.ts";
export type { OriginObserver, OriginState } from "./observer.ts";
export {
  type OriginEventQuery,
  type OriginQuery,
  type OriginQueryKind,
  originQueryText,
} from "./query.ts";
export type { ClassCompiler } from "./remote/class-value.ts";
export type { ForkPoint } from "./remote/fork-blocks.ts";
export { OriginRemote, type OriginRemoteOptions, type PinnedOrigin } from "./remote/remote.ts";
export type { OriginTask } from "./rpc/pending.ts";
export type { OriginSpec } from "./rpc/spec.ts";
export {
  type CachingSource,
  createOriginSource,
  type OriginSource,
  type OriginSourceDeps,
} from "./source.ts";
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
export type { OriginChannel } from "./channel.ts";
export { AnsweringChannel } from "./waiting/answering-channel.ts";
export { BoundedChannel, type BoundedChannelDeps } from "./waiting/bounded-channel.ts";
export { decodeFailure, encodeFailure } from "./waiting/failure.ts";
export type { OriginReply, OriginRequest } from "./waiting/messages.ts";
export { prefetch } from "./waiting/prefetch.ts";
export { OriginFetcher } from "./waiting/origin-fetcher.ts";
export {
  Patience,
  type PatienceDeps,
  steadyPatience,
  type WaitPatience,
} from "./waiting/patience.ts";
export { aliasQueries, ReadAheadChannel, withCompanions } from "./read-ahead-channel.ts";
export { StartingChannel } from "./starting-channel.ts";
export { ORIGIN_NOT_HERE, OriginMissing } from "./missing.ts";
export { type FetchedValue, KnownValues, type KnownValuesOptions } from "./known-values.ts";
export { WaitingChannel, type WaitingChannelDeps } from "./waiting/waiting-channel.ts";
export { type OriginCounts, type OriginReport, OriginTally } from "./tally.ts";
