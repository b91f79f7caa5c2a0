export { blockInfoAt, type ParentInfo, parentInfoOf } from "./block-info.ts";
export { type BatchResult, BlockProducer, type SealedDraft } from "./block-producer.ts";
export { blockTimestamp, SYSTEM_CLOCK } from "./clock.ts";
export { CommitterService } from "./committer-service.ts";
export { IdlePruning, type IdlePruningDeps } from "./idle-pruning.ts";
export type {
  ControlCommand,
  ControlOutcome,
  ControlReply,
  ControlRequest,
  GasPriceChange,
  StorageWrite,
} from "./control-messages.ts";
export { completeBlock } from "./complete-block.ts";
export { type DevAccount, devAccounts } from "./dev-accounts.ts";
export { createDevPage, DevEnvironment } from "./dev-environment.ts";
export { devFaucet, type Faucet } from "./dev-faucet.ts";
export { ExecutorService } from "./executor-service.ts";
export type { ExecutorSettings } from "./executor-state.ts";
export { gasPricesOf, type L1Prices, type L2GasPricing, nextL2GasPrice } from "./gas-price.ts";
export {
  buildGenesis,
  faucetClassOf,
  type ClassSource,
  type ClassText,
  type DevAccountsRequest,
  type Genesis,
} from "./genesis.ts";
export type { AcceptedMessage, SealedMessage, SettledOnL1, SettleOnL1 } from "./messages.ts";
export type { ProducerSettings, ProducerSource } from "./producer-settings.ts";
export { openGate } from "./publish-gate.ts";
export { revertedTransactionsOf, type RevertedTransactions } from "./reverted-transactions.ts";
export {
  type BlockSchedule,
  isByClock,
  MAX_UNCOMMITTED_BLOCKS,
  ON_REQUEST,
  QUIET_MS,
  type ScheduleInput,
  shouldClose,
} from "./schedule.ts";
