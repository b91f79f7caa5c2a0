export type { Refusal, StatelessLimits } from "./admission-rules.ts";
export { type AdmissionDeps, type AdmissionPorts, AdmissionService } from "./admission-service.ts";
export { gasLimitOf, type HeldBack, MAX_SMALL_GAS } from "./held-back.ts";
export { type Candidate, decodeBatch, encodeBatch, type EncodedCandidate } from "./batch-codec.ts";
export {
  ClassCompiler,
  type ClassCompilerDeps,
  type CompileOutcome,
  type CompileRequest,
} from "./compile/class-compiler.ts";
export { classUnfit } from "./compile/class-size.ts";
export { CLASS_SIZE_LIMITS, COMPILE_LIMITS, MAX_BYTECODE_FELTS } from "./compile/compile-limits.ts";
export type {
  CompiledClass,
  Compiler,
  CompilerAnswer,
  CompilerWork,
} from "./compile/compiler-port.ts";
export { type Declaration, encodeDeclaration } from "./declare/declaration.ts";
export { DeclareService } from "./declare/declare-service.ts";
export { readLegacyClass } from "./declare/read-legacy-class.ts";
export { prepareDeclaration } from "./declare/prepare-declaration.ts";
export { decodePrepared, type PreparedDeclaration } from "./declare/prepared-declaration.ts";
export { blameForCrash, ExecutionGuard } from "./execution-guard.ts";
export {
  createImpersonationPage,
  ImpersonatedAccounts,
  MAX_IMPERSONATED,
} from "./impersonated-accounts.ts";
export type { SubmitOutcome } from "./mempool/submit-outcome.ts";
export type { MempoolLimits } from "./mempool/types.ts";
export type {
  AdmissionToExecutor,
  DeltaMessage,
  ExecutorToAdmission,
  RejectedTransaction,
} from "./messages.ts";
export type { MempoolSelection } from "./mempool-selection.ts";
export type {
  DropOutcome,
  FlushOutcome,
  ListedTransaction,
  MempoolListing,
} from "./operator-handler.ts";
export { PendingFeed } from "./pending-feed.ts";
export type { PositionView } from "./position-gate.ts";
export { QuickValidator } from "./quick-validator.ts";
export type { ReportedRejection } from "./rejection-reasons.ts";
export type { CrashRecord } from "./reload.ts";
export type { AdmissionReply, AdmissionRequest, FromAdmission, ToAdmission } from "./requests.ts";
export { decodeSlowValidation, type SlowValidation } from "./slow-validation.ts";
export {
  type SlowValidationMetadata,
  type SlowValidatorDeps,
  validateSlowly,
} from "./slow-validator.ts";
export { decodeReceived, type Received } from "./submission/received.ts";
export { SUBMISSION_LIMITS, SubmissionGate } from "./submission/submission-gate.ts";
export { TimeBudget } from "./time-budget.ts";
export { ValidationBlock } from "./validation-block.ts";
