import type { ClassContents } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ReadPosition } from "#engine/state/index.ts";
import type { Refusal } from "./admission-rules.ts";
import type { PostponedChange, SubmissionOutcome } from "./messages.ts";
import type { MempoolSelection } from "./mempool-selection.ts";
import type { DropOutcome, FlushOutcome, MempoolListing } from "./operator-handler.ts";
import type { ReportedRejection } from "./rejection-reasons.ts";
import type { MempoolStatus } from "./mempool-status.ts";

/** Requests to admission. Transactions are encoded; their hash is computed there. */
export type AdmissionRequest =
  | {
      readonly kind: "submit";
      readonly id: number;
      readonly bytes: Uint8Array;
      /** Set when another thread has validated it: the encoded validation result. */
      readonly validation?: { readonly prevalidated: Uint8Array | null };
      /** Class of a declaration, already checked. */
      readonly declared?: ClassContents;
    }
  /** Another thread's validation of a submission ended in a refusal, which is already answered. */
  | { readonly kind: "slowRefused"; readonly id: number }
  /** Asks whether the mempool would accept a declaration with a valid signature. */
  | {
      readonly kind: "mayDeclare";
      readonly id: number;
      /** Includes the hash. */
      readonly bytes: Uint8Array;
      readonly classSizeBytes: number;
    }
  | { readonly kind: "find"; readonly id: number; readonly hash: Felt }
  | { readonly kind: "rejection"; readonly id: number; readonly hash: Felt }
  /**
   * Subscribes to transactions before their execution; initially off. While on, each transaction sent to the
   * executor is reported, and none is sent before it is answered.
   */
  | { readonly kind: "watch"; readonly id: number; readonly isWanted: boolean }
  /** Operator requests. */
  | {
      readonly kind: "list";
      readonly id: number;
      readonly offset: number;
      readonly limit: number;
      readonly selection: MempoolSelection;
    }
  | { readonly kind: "drop"; readonly id: number; readonly hash: Felt }
  | { readonly kind: "flush"; readonly id: number; readonly selection: MempoolSelection };

/** A request to admission, with the chain position of the thread that sends it. */
export type ToAdmission = AdmissionRequest & { readonly position: ReadPosition };

/** A submission as received by admission. */
export type SubmissionRequest = Extract<ToAdmission, { readonly kind: "submit" }>;

/** A transaction sent to the executor. */
export interface DispatchedTransaction {
  readonly hash: Felt;
  readonly bytes: Uint8Array;
  /** Whether the executor had it before and returned it. */
  readonly isAgain: boolean;
}

/** Replies of admission. */
export type AdmissionReply =
  /** A submission was checked, which took `costMs`; its outcome follows once it is durable. */
  | { readonly kind: "validated"; readonly id: number; readonly costMs: number }
  /** A submission needs a validation that exceeds admission's time limit. */
  | {
      readonly kind: "slow";
      readonly id: number;
      /** Includes the hash. */
      readonly bytes: Uint8Array;
      readonly isSenderUndeployed: boolean;
    }
  | { readonly kind: "submitted"; readonly outcomes: readonly SubmissionOutcome[] }
  | { readonly kind: "declareJudged"; readonly id: number; readonly refusal: Refusal | null }
  | ({ readonly kind: "found"; readonly id: number } & MempoolStatus)
  | { readonly kind: "rejectionFound"; readonly id: number; readonly reason: string | null }
  | { readonly kind: "listed"; readonly id: number; readonly listing: MempoolListing }
  | { readonly kind: "dropped"; readonly id: number; readonly outcome: DropOutcome }
  | { readonly kind: "flushed"; readonly id: number; readonly outcome: FlushOutcome }
  | { readonly kind: "rejected"; readonly rejections: readonly ReportedRejection[] }
  | { readonly kind: "dispatched"; readonly transactions: readonly DispatchedTransaction[] }
  /** Transactions that wait for values of a fork's origin have changed. */
  | { readonly kind: "postponed"; readonly change: PostponedChange }
  | { readonly kind: "mempoolSize"; readonly waiting: number };

/** A reply of admission, with the chain position of the admission thread. */
export type FromAdmission = AdmissionReply & { readonly position: ReadPosition };
