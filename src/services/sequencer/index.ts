/**
 * The sequencer turns transactions into blocks, and blocks into accepted ones. It has two services on
 * separate threads: the executor builds block N+1 while the committer hashes and stores block N.
 *
 * States of a block, in this order, and what moves it to the next:
 *
 * - *open*: `BlockProducer` executes batches in it. The changes of each batch go to all readers as a delta,
 *   which makes them visible as pre-confirmed. The pure function `step` (`executor-step.ts`) decides from the
 *   schedule, orders and the committer's lag when to request batches and when to open and seal blocks.
 * - *sealed*: its transactions are settled; its draft is in flight to the committer, in memory.
 * - *committed*: `CommitterService` has computed roots, commitments, hash and signature, and one database
 *   transaction, flushed to disk, holds all of it. Blocks are committed one after the other.
 * - *accepted*: the publish gate has passed it. Executor and readers are notified first, and last the main
 *   thread, from which clients learn of it.
 *
 * Crash safety:
 *
 * - Kill or power loss: committed blocks survive. Open and sealed blocks are lost; their transactions are
 *   restored from the mempool and executed again, possibly in other blocks. Messages from L1 and writes
 *   ordered on a development chain are lost with their block.
 * - Stop, or a revert, which stops the threads: sealed blocks are committed for up to 1.5 s; the rest is
 *   treated as after a kill. Both services restart from the newest stored block.
 * - A transaction that crashes a thread or the process: crash records name it. In quarantine it gets a
 *   separate block (`attempt` above 1), so that nothing else is lost with it. The same holds for a message from
 *   L1, whose crashes admission counts (`SuspectMessages`).
 * - Halt: the open block stays open and is lost with the threads; sealed ones are committed.
 * - Full disk, or any other failed commit: the block is rolled back, nothing is committed after it, and the
 *   node exits.
 * - A gate that does not answer: nothing is committed until it does. A stop then leaves one block that is
 *   committed and not accepted; the next start submits it to the gate again.
 * - A gate that refuses: nothing more is committed. The main thread is notified and reverts the block; its
 *   transactions are still in the mempool.
 *
 * Limits: with `MAX_UNCOMMITTED_BLOCKS` (8) sealed blocks the executor requests and seals nothing more;
 * batches of `execution_batch_size` alternate with as many messages from L1, or as many as take 250 ms; 1000
 * writes per block and 1000 queued orders. `LongWork` gives precedence to senders that used little processor
 * time. While no block is committed, `IdlePruning` deletes expired data.
 */
export { blockInfoAt, type ParentInfo, parentInfoOf } from "./block-info.ts";
export type { BatchResult } from "./batch-result.ts";
export { BlockProducer } from "./block-producer.ts";
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
} from "./control-messages.ts";
export {
  type ChangeRefusal,
  changeSize,
  type ClassChange,
  type ContractClassChange,
  NO_CHANGE,
  type StateChange,
  type StorageWrite,
} from "./state-change.ts";
export type { TokenBalance } from "./token-balance.ts";
export { completeBlock } from "./complete-block.ts";
export { type DevAccount, devAccounts } from "./dev-accounts.ts";
export { type DevSeed, devSeedFromText, devSeedText } from "./dev-seed.ts";
export { createDevPage, DevEnvironment } from "./dev-environment.ts";
export { devFaucet, type Faucet } from "./dev-faucet.ts";
export { ExecutorService } from "./executor-service.ts";
export type { ExecutorSettings } from "./executor-state.ts";
export { gasPricesOf, type L1Prices, type L2GasPricing, nextL2GasPrice } from "./gas-price.ts";
export { createL1PricesPage, L1PricesPage } from "./l1-prices-page.ts";
export { buildForkGenesis, type ForkGenesisDeps, type OriginValues } from "./fork-genesis.ts";
export {
  executeOriginals,
  type ExecutedOriginals,
  type OriginalDifference,
  type OriginalTransactions,
} from "./original-transactions.ts";
export { buildGenesis, type DevAccountsRequest, type Genesis } from "./genesis.ts";
export { faucetClassOf } from "./genesis-classes.ts";
export type { ClassSource, ClassText, KnownHashes } from "./genesis-class.ts";
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
  type GateRequest,
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
