export { L1Watcher } from "./l1-watcher.ts";
export { type IndexedMessage, MessageIndex } from "./message-index.ts";
export { MessageListing, type MessageListingDeps } from "./message-listing.ts";
export type {
  MessageBatchCounts,
  HeldBackMessage,
  HeldBackReason,
  MessageEvent,
  MessageLimits,
  MessageWatchDeps,
} from "./message-ports.ts";
export { MessageWatch } from "./message-watch.ts";
export type {
  ConsumedMessage,
  L1Alarm,
  L1ChainPort,
  L1HandlerOrder,
  L1HandlerOutcome,
} from "./ports.ts";
export type {
  ExchangeRate,
  ExchangeRateOracle,
  FixedPrices,
  PriceEvent,
  PriceName,
  PriceSource,
  PriceWatchDeps,
} from "./price-ports.ts";
export { PriceWatch } from "./price-watch.ts";
export type { AskReports, L1StateUpdate, StateEvent, StateWatchDeps } from "./state-ports.ts";
export { StateWatch } from "./state-watch.ts";
export type { L1MessageTaker, L1WatchEvent, L1WatcherDeps } from "./watcher-ports.ts";
