import type { RejectionCode } from "#engine/execution/index.ts";
import type { Precedence } from "./precedence.ts";
import type { MessageSuspicion } from "./suspect-messages.ts";
import type { SubmitOutcome } from "./mempool/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/**
 * Message that the executor sends to all readers after a batch; `bytes` is an encoded pending
 * delta.
 */
export interface DeltaMessage {
  readonly kind: "delta";
  readonly blockNumber: number;
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** Outcome of the submission with this id. */
export interface SubmissionOutcome {
  readonly id: number;
  readonly outcome: SubmitOutcome;
}

/** A transaction that the executor rejected, and the code of the rejection. */
export interface RejectedTransaction {
  readonly hash: Felt;
  readonly code: RejectionCode;
  readonly reason: string;
}

/** A transaction that needs a value that the fork's origin did not return. It keeps its place. */
export interface PostponedTransaction {
  readonly hash: Felt;
  /** What the origin did not return, and why. */
  readonly reason: string;
}

/** Change of the transactions that wait for values of a fork's origin. */
export interface PostponedChange {
  /** Transactions that wait now, or wait for another reason. */
  readonly added: readonly PostponedTransaction[];
  /** Hashes of transactions that wait no longer. */
  readonly left: readonly Felt[];
}

/** Messages from the executor to admission. */
export type ExecutorToAdmission =
  /** Requests transactions of the lowest waiting rank; all in order if `precedence` is omitted. */
  | { readonly kind: "take"; readonly max: number; readonly precedence?: Precedence }
  | {
      readonly kind: "settled";
      readonly delta: DeltaMessage | null;
      /** Transactions in `delta` that were not reported before. */
      readonly included: readonly Felt[];
      readonly rejected: readonly RejectedTransaction[];
      readonly requeued: readonly Felt[];
      /** Requeued transactions not to be handed out again immediately; omitted when empty. */
      readonly postponed?: readonly PostponedTransaction[];
    };

/** Messages from admission to the executor. */
export type AdmissionToExecutor =
  /**
   * `bytes` is made by `encodeBatch`. `attempt` is above 1 for a transaction that was being executed when the
   * process died: it is sent alone, and gets a separate block. `coming` counts received transactions that may
   * be forwarded soon: they are being validated, or flushed to disk.
   */
  | {
      readonly kind: "batch";
      readonly count: number;
      readonly coming: number;
      readonly attempt: number;
      readonly bytes: Uint8Array;
    }
  /** A transaction may be available after an empty batch, or all announced ones have arrived. */
  | { readonly kind: "wake"; readonly coming: number }
  /** Sent before all other messages, if at all. */
  | ({ readonly kind: "suspects" } & MessageSuspicion);
