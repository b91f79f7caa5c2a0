export { compressStorage } from "./block/aliases.ts";
export { BlockExecutor, callsInOrder, emittedEvents, sentMessages } from "./block/executor.ts";
export { errorKind } from "./call/error-text.ts";
export { balanceHighKey, balanceKey } from "./fee/receipt.ts";
export { visitCalls } from "./fee/summary.ts";
export { minimalGasOf } from "./simulation/minimal.ts";
export { callContract, directCall, type DirectCallResult } from "./simulation/call.ts";
export { estimateFee, type SimulatedTransaction } from "./simulation/estimate.ts";
export {
  type Simulation,
  type SimulationOutcome,
  simulateTransactions,
} from "./simulation/simulate.ts";
export { validateTransaction, type ValidationOptions } from "./simulation/validate.ts";
export { type PrevalidatedCall, type ValidationEnvironment } from "./validation/prevalidated.ts";
export { decodePrevalidated, encodePrevalidated } from "./validation/prevalidated-codec.ts";
export * from "./types.ts";
