/**
 * The sequencer: transactions become blocks, and blocks become accepted. Two services, on a thread each:
 * the executor builds block N+1 while the committer hashes and stores block N.
 *
 * What a block is, in this order, and who moves it on:
 *
 * - *open*: `BlockProducer` executes batches in it. What each batch changed goes to all readers as a
 *   delta, so that it is seen as pre-confirmed. When batches are taken and blocks opened and sealed is
 *   decided by the pure `step` (`executor-step.ts`) from the schedule, orders and the committer's lag.
 * - *sealed*: its transactions are settled; its draft is on the way to the committer, in memory.
 * - *committed*: `CommitterService` has its roots, commitments, hash and signature, and one transaction
 *   of the database, flushed to the disk, holds all of it. Blocks are committed one after the other.
 * - *accepted*: the publish gate let it pass. Executor and readers hear of it, and the main thread, where
 *   clients learn it, last.
 *
 * What survives:
 *
 * - A kill or a loss of power: committed blocks. Those that are open or sealed are gone; their
 *   transactions come back from the mempool and are executed again, in other blocks perhaps. Messages
 *   from L1 and writes that a development chain was told to do are lost with their block.
 * - A stop, and a revert, which stops the threads: sealed blocks are committed for up to 1.5 s; what is
 *   left then is as after a kill. Both services begin anew with the newest stored block.
 * - A transaction that ends a thread or the process: crash records name it. In quarantine, it gets a
 *   block of its own (`attempt` above 1), so that nothing else is lost with it. So does a message from L1,
 *   of which admission keeps the count (`SuspectMessages`).
 * - A halt: the open block stays open and is lost with the threads; sealed ones are committed.
 * - A full disk, or any other failed commit: the block is rolled back, nothing is committed after it, and
 *   the node ends.
 * - A gate that does not answer: nothing is committed until it does. A stop then leaves one block that is
 *   committed and not accepted; the gate is asked about it again by the next start.
 * - A gate that refuses: nothing is committed any more. The main thread hears of it and unwinds the block;
 *   its transactions are in the mempool still.
 *
 * Bounds: at most `MAX_UNCOMMITTED_BLOCKS` (8) sealed blocks, then the executor takes and seals nothing;
 * batches of `execution_batch_size`, in turns with as many messages of L1, or as take 250 ms; 1000 writes in a
 * block and 1000 orders that wait; `LongWork` lets senders who took little time go before others. While no
 * block comes, `IdlePruning` deletes what is no longer kept.
 */
export { blockInfoAt, type ParentInfo, parentInfoOf } from "./block-info.ts";
export { type BatchResult, BlockProducer } from "./block-producer.ts";
export type { SealedDraft } from "./sealed-draft.ts";
export {
  blockTimestamp,
  type Clock,
  MAX_CLOCK_ERROR_MS,
  secondsBehind,
  SYSTEM_CLOCK,
} from "./clock.ts";
export { ClockPage, createClockPage } from "./clock-page.ts";
export { SteadyClock, type SteadyClockDeps } from "./steady-clock.ts";
export { CommitterService } from "./committer-service.ts";
export { IdlePruning, type IdlePruningDeps } from "./idle-pruning.ts";
export type {
  ControlCommand,
  ControlOutcome,
  ControlReply,
  ControlRequest,
  MessageFromL1,
  MessageOutcome,
  GasPriceChange,
  StorageWrite,
} from "./control-messages.ts";
export { completeBlock } from "./complete-block.ts";
export { type DevAccount, devAccounts } from "./dev-accounts.ts";
export { type DevSeed, devSeedFromText, devSeedText } from "./dev-seed.ts";
export { createDevPage, DevEnvironment } from "./dev-environment.ts";
export { devFaucet, type Faucet } from "./dev-faucet.ts";
export { ExecutorService } from "./executor-service.ts";
export type { ExecutorSettings } from "./executor-state.ts";
export { gasPricesOf, type L1Prices, type L2GasPricing, nextL2GasPrice } from "./gas-price.ts";
export { createL1PricesPage, L1PricesPage } from "./l1-prices-page.ts";
export { buildGenesis, faucetClassOf, type DevAccountsRequest, type Genesis } from "./genesis.ts";
export type { ClassSource, ClassText } from "./genesis-class.ts";
export { MINT_FUNCTIONS } from "./system-functions.ts";
export type {
  AcceptedMessage,
  ClockJumpMessage,
  GateMessage,
  RehearsalMessage,
  SealedMessage,
  SettledOnL1,
  SettleOnL1,
} from "./messages.ts";
export { settleOnL1, type SettlingPorts } from "./settle-on-l1.ts";
export type { ProducerSettings, ProducerSource } from "./producer-settings.ts";
export {
  type GateAnswer,
  type GateQuestion,
  openGate,
  type Predecessor,
  type PublishGate,
} from "./publish-gate.ts";
export { revertedTransactionsOf, type RevertedTransactions } from "./reverted-transactions.ts";
export {
  type BlockSchedule,
  isByClock,
  MAX_UNCOMMITTED_BLOCKS,
  ON_REQUEST,
  QUIET_MS,
  type ScheduleInput,
  closesInMs,
} from "./schedule.ts";
