export { Admitter } from "./admitter.ts";
export { type Candidate, decodeBatch, encodeBatch, type EncodedCandidate } from "./batch-codec.ts";
export { blameForDeath, ExecutionGuard } from "./execution-guard.ts";
export { GroupCommit } from "./group-commit.ts";
export { MempoolService } from "./mempool-service.ts";
export { Mempool } from "./mempool/mempool.ts";
export type { SubmitOutcome } from "./mempool/submit-outcome.ts";
export type { MempoolEntry, MempoolLimits } from "./mempool/types.ts";
export type {
  AdmissionToExecutor,
  DeltaMessage,
  ExecutorToAdmission,
  RejectedTransaction,
  SubmissionOutcome,
} from "./messages.ts";
export type { Departure } from "./rejection-reasons.ts";
export { reloadMempool } from "./reload.ts";
export { decodeSlowValidation, type SlowValidation } from "./slow-validation.ts";
export { type SlowValidatorParts, validateSlowly } from "./slow-validator.ts";
export { decodeReceived, type Received } from "./submission/received.ts";
export { SubmissionGate } from "./submission/submission-gate.ts";
export { TimeBudget } from "./time-budget.ts";
export { WorkLoop } from "./work-loop.ts";
