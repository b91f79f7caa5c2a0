/**
 * Admission: moves a submission into the mempool, and out of it once its fate is known.
 *
 * States of a submission, in this order, and what moves it on:
 *
 * - *queued*: it waits for the validating thread in `SubmissionGate`, a declaration in that of
 *   `DeclareService`; fair between senders. Without room it is refused, and the client may retry.
 * - *checked*: where there are validators (`ValidatorService`), each hashes and validates the submissions of
 *   its senders and forwards them. `Admitter` applies its own rules first, and adopts the validator's result.
 *   Without validators this thread does all of it.
 * - *early*: an invoke whose sender is not deployed yet waits in `EarlyInvokes`, for a second or as long as
 *   that deployment is being checked. It is then accepted if the deployment is in the mempool, and otherwise
 *   judged like any other.
 * - *slow*: its validation exceeds this thread's time limit, and is repeated on a query thread.
 * - *taken*: `Admitter` has put it into the mempool. Until its group is on disk (`GroupCommit`) it is
 *   reported to nobody, and the executor does not get it.
 * - *received*: on disk; the client is answered. It waits in the mempool (`mempool/index.ts`).
 * - *in flight*: the executor has it, and returns, includes or rejects it (`MempoolService.settle`).
 * - *included*: in a block that is not accepted. Its row is deleted once the committer reports acceptance.
 * - *rejected*: it left for a reason: dropped by the executor, the operator or a restart, expired, replaced,
 *   evicted, or its nonce used. The reason can be queried; 100 000 reasons are kept, for a limited time.
 *
 * What survives:
 *
 * - A kill or a loss of power: received, in-flight and included transactions come back before everything
 *   else, whatever the limits are now (`reloadMempool`). Unanswered ones may be lost. A loss of power may
 *   undo the newest rejections, pauses and quarantines, which reach the disk with the next group: the
 *   transaction then waits again.
 * - A crash by a transaction: crash records (`ExecutionGuard`) hold what each thread worked on. If a thread
 *   died of it, the transaction is rejected at the next start. If the process ended without a trace, the
 *   transaction is quarantined: it is sent alone and gets a separate block; after `MAX_ATTEMPTS` crashes it
 *   is rejected. Where the work was on several together, and a thread died of it or the process crashed
 *   `MAX_ATTEMPTS` times, all waiting transactions are sent one at a time.
 * - A revert of the chain: the thread starts over with the remaining state. Waiting transactions stay, with
 *   pauses and reasons, unless the reverting command has the store deleted. Transactions of an accepted block
 *   that is reverted do not come back.
 * - A full disk, or any error of the database, stops the node: a transaction that was not stored is never
 *   answered.
 *
 * While the native fee token has no contract, `FreeTransactionGate` accepts transactions that pay nothing; those
 * still waiting when it gets one are dropped.
 *
 * Bounds: `SUBMISSION_LIMITS` (4096 submissions, 32 MiB) for queued submissions; with validators the count
 * holds for each of them, and the bytes for all together. 1024 early invokes, 16 MiB, 16 for each sender. The
 * mempool's limits of the chain configuration. 10 000 pauses.
 */
export type { Refusal, StatelessLimits } from "./admission-rules.ts";
export type { AdmissionDeps, AdmissionPorts } from "./admission-deps.ts";
export { AdmissionService } from "./admission-service.ts";
export {
  areFree,
  countBootstrapDeclares,
  type FreePolicy,
  type FreeRules,
  isFree,
  MAX_BOOTSTRAP_DECLARES,
  NOT_FREE,
} from "./free-transactions.ts";
export {
  gasLimitOf,
  MAX_SMALL_GAS,
  type Precedence,
  type RankedTransaction,
} from "./precedence.ts";
export { type Candidate, decodeBatch, encodeBatch, type EncodedCandidate } from "./batch-codec.ts";
export {
  CLASS_SIZE_LIMITS,
  ClassCompiler,
  type ClassCompilerDeps,
  classUnfit,
  COMPILE_LIMITS,
  type CompiledClass,
  type CompileOutcome,
  type Compiler,
  type CompilerAnswer,
  type CompileRequest,
  type CompilerWork,
  MAX_BYTECODE_FELTS,
} from "./compile/index.ts";
export { type Declaration, encodeDeclaration } from "./declare/declaration.ts";
export type { MessageSuspicion } from "./suspect-messages.ts";
export { DeclareService } from "./declare/declare-service.ts";
export { readLegacyClass } from "./declare/read-legacy-class.ts";
export { prepareDeclaration } from "./declare/prepare-declaration.ts";
export { decodePrepared, type PreparedDeclaration } from "./declare/prepared-declaration.ts";
export { type MissingValues, NOTHING_MISSING } from "./origin-retries.ts";
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
  PostponedChange,
  PostponedTransaction,
  RejectedTransaction,
} from "./messages.ts";
export type { MempoolSelection } from "./mempool-selection.ts";
export type {
  DropOutcome,
  FlushOutcome,
  ListedTransaction,
  MempoolListing,
} from "./operator-handler.ts";
export { NOTHING_LISTED } from "./operator-handler.ts";
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
export {
  SUBMISSION_LIMITS,
  SubmissionGate,
  type SubmissionGateDeps,
} from "./submission/submission-gate.ts";
export type { Submitter } from "./submission/sender-grades.ts";
export {
  type AdmissionToValidator,
  type ToValidator,
  ValidatorService,
  type ValidatorToAdmission,
} from "./validator-service.ts";
export { TimeBudget } from "./time-budget.ts";
export { ValidationBlock } from "./validation-block.ts";
