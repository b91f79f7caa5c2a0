export type { BouncerCapacity, ProvingPrimitive } from "./block/capacity.ts";
export type { BlockContext, FeeTokens } from "./block/context.ts";
export { callsInOrder, emittedEvents, sentMessages } from "./block/emissions.ts";
export { BlockExecutor, type FinishedBlock } from "./block/executor.ts";
export type { TransactionExecutionInfo, TransactionOutcome } from "./block/outcome.ts";
export { prepareWeighing } from "./block/prepare-weighing.ts";
export type { BouncerWeights } from "./block/weights.ts";
export { type CallFailure } from "./call/error-text.ts";
export { type CallInfo, callTypeOf } from "./call/info.ts";
export { TraceMemory } from "./call/trace-memory.ts";
export { balanceHighKey, balanceKey } from "./fee/balance.ts";
export { codeSizeOf, sierraCodeSize, type SierraCodeLengths } from "./fee/shape.ts";
export type { TransactionResources } from "./fee/transaction-resources.ts";
export { NO_RESOURCES, sumResources } from "./resources.ts";
export {
  callContract,
  type CallOutcome,
  type ContractCall,
  directCall,
} from "./simulation/call.ts";
export type { CallGas, CallGasTable } from "./simulation/call-gas.ts";
export { estimateFee, type EstimateOutcome, type FeeEstimate } from "./simulation/estimate.ts";
export { estimateMessageFee, type MessageFeeOutcome } from "./simulation/message-fee.ts";
export { preCheckTransaction } from "./simulation/pre-check.ts";
export { BlockReplay, type ReplaySource, type ReplayStep } from "./simulation/replay.ts";
export {
  type Simulation,
  type SimulationOptions,
  type SimulationOutcome,
  simulateTransactions,
} from "./simulation/simulate.ts";
export type { SimulatedTransaction } from "./simulation/simulated.ts";
export { type RevertedTrace, type TransactionTrace, transactionTrace } from "./simulation/trace.ts";
export { validateTransaction, type ValidationOutcome } from "./simulation/validate.ts";
export type { ExecutionFlags } from "./transaction/flags.ts";
export { enforcesFee } from "./transaction/max-fee.ts";
export { BOOTSTRAP_ADDRESS, isBootstrapDeclare } from "./transaction/declare.ts";
export type { Rejection, RejectionCode } from "./transaction/rejection.ts";
export { decodePrevalidated, encodePrevalidated } from "./validation/prevalidated-codec.ts";
export type { PrevalidatedCall } from "./validation/prevalidated.ts";
export { maxFeeOfBounds } from "./transaction/max-fee.ts";
