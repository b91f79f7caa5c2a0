import type { RejectionCode } from "#engine/execution/index.ts";
import type { Precedence } from "./precedence.ts";
import type { MessageSuspicion } from "./suspect-messages.ts";
import type { SubmitOutcome } from "./mempool/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** What the executor did; `bytes` is an encoded pending delta. */
export interface DeltaMessage {
  readonly kind: "delta";
  readonly blockNumber: number;
  /** As in the delta. */
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** What became of the submission with this id. */
export interface SubmissionOutcome {
  readonly id: number;
  readonly outcome: SubmitOutcome;
}

/** A transaction that the executor rejected; `code` names what was against it. */
export interface RejectedTransaction {
  readonly hash: Felt;
  readonly code: RejectionCode;
  readonly reason: string;
}

/** Executor to admission. */
export type ExecutorToAdmission =
  /** Transactions of one rank are wanted, the lowest that waits; all in order if `precedence` is omitted. */
  | { readonly kind: "take"; readonly max: number; readonly precedence?: Precedence }
  | {
      readonly kind: "settled";
      readonly delta: DeltaMessage | null;
      /** Transactions in `delta` that were not told before. */
      readonly included: readonly Felt[];
      readonly rejected: readonly RejectedTransaction[];
      readonly givenBack: readonly Felt[];
    };

/** Admission to the executor. */
export type AdmissionToExecutor =
  /**
   * `bytes` is made by `encodeBatch`; `attempt` is above 1 for a transaction that was being executed
   * when the process died: it comes alone, and gets a block of its own. `coming` counts what has arrived and
   * may be handed on soon: it is being validated, or on its way to the disk.
   */
  | {
      readonly kind: "batch";
      readonly count: number;
      readonly coming: number;
      readonly attempt: number;
      readonly bytes: Uint8Array;
    }
  /** Something may go after an empty batch; or nothing is coming any more that was said to. */
  | { readonly kind: "wake"; readonly coming: number }
  /** Before all others, if at all. */
  | ({ readonly kind: "suspects" } & MessageSuspicion);
