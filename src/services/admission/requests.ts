import type { ClassContents } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ReadPosition } from "#engine/state/index.ts";
import type { Refusal } from "./admission-rules.ts";
import type { SubmissionOutcome } from "./messages.ts";
import type { MempoolSelection } from "./mempool-selection.ts";
import type { DropOutcome, FlushOutcome, MempoolListing } from "./operator-handler.ts";
import type { ReportedRejection } from "./rejection-reasons.ts";
import type { Standing } from "./standing.ts";

/** What is asked of admission. Transactions travel encoded; their hash is computed there. */
export type AdmissionRequest =
  | {
      readonly kind: "submit";
      readonly id: number;
      readonly bytes: Uint8Array;
      /** Set when another thread has validated it: what the executor need not compute again. */
      readonly validation?: { readonly prevalidated: Uint8Array | null };
      /** The class that a declaration brings, which is valid. */
      readonly declared?: ClassContents;
    }
  /** The validation of a submission on another thread has ended with a refusal, which is answered. */
  | { readonly kind: "slowRefused"; readonly id: number }
  /** Whether the mempool would take a declaration; its account has signed it. */
  | {
      readonly kind: "mayDeclare";
      readonly id: number;
      /** With its hash. */
      readonly bytes: Uint8Array;
      readonly classSizeBytes: number;
    }
  | { readonly kind: "find"; readonly id: number; readonly hash: Felt }
  | { readonly kind: "rejection"; readonly id: number; readonly hash: Felt }
  /**
   * Whether somebody hears what happens to transactions before they are executed; at first nobody does. Each
   * one that the executor gets is told then, and nothing goes there before it is answered.
   */
  | { readonly kind: "watch"; readonly id: number; readonly isWanted: boolean }
  /** For whoever runs the node. */
  | {
      readonly kind: "list";
      readonly id: number;
      readonly offset: number;
      readonly limit: number;
      readonly selection: MempoolSelection;
    }
  | { readonly kind: "drop"; readonly id: number; readonly hash: Felt }
  | { readonly kind: "flush"; readonly id: number; readonly selection: MempoolSelection };

/** A request with what whoever asks had seen. */
export type ToAdmission = AdmissionRequest & { readonly position: ReadPosition };

/** A submission, as admission receives it. */
export type SubmissionRequest = Extract<ToAdmission, { readonly kind: "submit" }>;

/** A transaction that the executor got. */
export interface HandedTransaction {
  readonly hash: Felt;
  readonly bytes: Uint8Array;
  /** It had it before, and gave it back. */
  readonly isAgain: boolean;
}

/** What admission answers. */
export type AdmissionReply =
  /** A submission was looked at, which took `costMs`; its outcome comes once it is durable. */
  | { readonly kind: "validated"; readonly id: number; readonly costMs: number }
  /** A submission needs a validation that takes longer than admission may wait. */
  | {
      readonly kind: "slow";
      readonly id: number;
      /** The transaction with its hash. */
      readonly bytes: Uint8Array;
      readonly senderIsToBeDeployed: boolean;
    }
  | { readonly kind: "submitted"; readonly outcomes: readonly SubmissionOutcome[] }
  | { readonly kind: "declareJudged"; readonly id: number; readonly refusal: Refusal | null }
  | ({ readonly kind: "found"; readonly id: number } & Standing)
  | { readonly kind: "rejectionFound"; readonly id: number; readonly reason: string | null }
  | { readonly kind: "listed"; readonly id: number; readonly listing: MempoolListing }
  | { readonly kind: "dropped"; readonly id: number; readonly outcome: DropOutcome }
  | { readonly kind: "flushed"; readonly id: number; readonly outcome: FlushOutcome }
  | { readonly kind: "rejected"; readonly rejections: readonly ReportedRejection[] }
  | { readonly kind: "handed"; readonly handed: readonly HandedTransaction[] }
  | { readonly kind: "mempoolSize"; readonly waiting: number };

/** An answer with what admission had seen. */
export type FromAdmission = AdmissionReply & { readonly position: ReadPosition };
