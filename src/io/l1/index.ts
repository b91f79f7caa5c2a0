export { EndpointFault } from "./endpoint/fault.ts";
export { L1_LIMITS, type L1Limits } from "./limits.ts";
export { messageToL2Hash } from "./message-hash.ts";
export { DevCoreOperator, type CoreOperatorOptions } from "./operator/core-operator.ts";
export {
  MockMessaging,
  type MockMessagingOptions,
  type SentMessages,
} from "./mock-messaging/mock-messaging.ts";
export { createPriceOracle, type PriceOracle, type PriceOracleOptions } from "./price-oracle.ts";
export { createL1Source, type StartableL1Source } from "./source/l1-source.ts";
export type { L1SourceOptions } from "./source/options.ts";
export type {
  CoreContractLog,
  CoreState,
  FeeQuote,
  L1Address,
  L1Block,
  L1BlockId,
  L1EndpointState,
  L1Finality,
  L1LogPlace,
  L1Source,
  L1View,
  MessageLog,
  MessageState,
  ReportedUpdates,
  StateReport,
  StateUpdateLog,
} from "./types.ts";
