export {
  blockInfoAt,
  type BlockInfoSettings,
  type ParentFacts,
  parentFactsOf,
} from "./block-info.ts";
export {
  type BatchResult,
  BlockProducer,
  type Candidate,
  type ProducerSettings,
  type ProducerSource,
  type SealedDraft,
} from "./block-producer.ts";
export { blockTimestamp, type Clock, SYSTEM_CLOCK } from "./clock.ts";
export {
  gasPricesOf,
  type L1Prices,
  type L2GasHistory,
  type L2GasPricing,
  nextL2GasPrice,
} from "./gas-price.ts";
export {
  type BlockSchedule,
  isByClock,
  MAX_UNCOMMITTED_BLOCKS,
  QUIET_MS,
  type ScheduleInput,
  shouldClose,
} from "./schedule.ts";
export { type CompletedBlock, completeBlock, type CompletionInput } from "./complete-block.ts";
export { openGate, type PublishGate } from "./publish-gate.ts";
export { type DevAccount, devAccounts } from "./dev-accounts.ts";
export {
  buildGenesis,
  type ClassSource,
  type ClassText,
  type DevAccountsRequest,
  type Genesis,
} from "./genesis.ts";
