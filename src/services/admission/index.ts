export { type AdmissionParts, type AdmissionPorts, AdmissionService } from "./admission-service.ts";
export { type Candidate, decodeBatch, encodeBatch, type EncodedCandidate } from "./batch-codec.ts";
export {
  ClassCompiler,
  type ClassCompilerParts,
  type CompileOutcome,
  type CompileRequest,
} from "./compile/class-compiler.ts";
export { COMPILE_LIMITS, MAX_BYTECODE_FELTS } from "./compile/compile-limits.ts";
export type { CompiledClassStore } from "./compile/compiled-classes.ts";
export type { CompiledClass, Compiler, CompilerAnswer } from "./compile/compiler-port.ts";
export { blameForDeath, ExecutionGuard } from "./execution-guard.ts";
export type { SubmitOutcome } from "./mempool/submit-outcome.ts";
export type { MempoolLimits } from "./mempool/types.ts";
export type {
  AdmissionToExecutor,
  DeltaMessage,
  ExecutorToAdmission,
  RejectedTransaction,
} from "./messages.ts";
export { PendingFeed } from "./pending-feed.ts";
export type { PositionView } from "./position-gate.ts";
export { QuickValidator } from "./quick-validator.ts";
export type { DeathRecord } from "./reload.ts";
export type {
  AdmissionReply,
  AdmissionRequest,
  FromAdmission,
  ReportedRejection,
  ToAdmission,
} from "./requests.ts";
export { decodeSlowValidation, type SlowValidation } from "./slow-validation.ts";
export { type SlowValidatorParts, validateSlowly } from "./slow-validator.ts";
export { decodeReceived, type Received } from "./submission/received.ts";
export { SubmissionGate } from "./submission/submission-gate.ts";
export { TimeBudget } from "./time-budget.ts";
export { ValidationBlock } from "./validation-block.ts";
