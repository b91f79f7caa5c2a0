export { compressStorage } from "./block/aliases.ts";
export { BlockExecutor, callsInOrder, emittedEvents, sentMessages } from "./block/executor.ts";
export { errorKind } from "./call/error-text.ts";
export { balanceHighKey, balanceKey } from "./fee/receipt.ts";
export { callContract, directCall } from "./simulation/call.ts";
export { estimateFee } from "./simulation/estimate.ts";
export { minimalGasOf } from "./simulation/minimal.ts";
export { simulateTransactions } from "./simulation/simulate.ts";
export { validateTransaction } from "./simulation/validate.ts";
export type {
  BlockContext,
  BouncerCapacity,
  BouncerWeights,
  CallFailure,
  CallInfo,
  CallOutcome,
  ContractCall,
  EstimateOutcome,
  ExecutionFlags,
  FeeEstimate,
  FeeTokens,
  FinishedBlock,
  ProvingPrimitive,
  Rejection,
  RejectionCode,
  TransactionExecutionInfo,
  TransactionOutcome,
  TransactionResources,
  ValidationOutcome,
} from "./types.ts";
export { decodePrevalidated, encodePrevalidated } from "./validation/prevalidated-codec.ts";
export type { PrevalidatedCall } from "./validation/prevalidated.ts";
