import type { SubmissionOutcome } from "#services/admission/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ReadPosition } from "../position-gate.ts";
import type { ReportedRejection } from "../rejection-report.ts";
import type { NodeSetup } from "../setup.ts";

/** Two threads that talk directly; each end has the name of the other. */
export type PortName = "admission" | "executor" | "committer" | `query-${number}`;

/** What a thread is given to start. */
export interface WorkerInit {
  readonly setup: NodeSetup;
  readonly ports: Readonly<Partial<Record<PortName, MessagePort>>>;
  /** Shared flag of the thread's Cairo machine: non-zero cancels what runs. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Permits of the query threads' machines for runs that need much memory. */
  readonly memoryPermits: SharedArrayBuffer;
}

/** First messages of every thread. */
export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "started" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped" };

/** To every thread: finish what is in hand, close files, answer `stopped`. */
export interface StopMessage {
  readonly kind: "stop";
}

/** A block was accepted: its commit returned and it may be shown. */
export interface AcceptedMessage {
  readonly kind: "accepted";
  readonly blockNumber: number;
  readonly blockHash: Felt;
  readonly transactionCount: number;
  readonly eventCount: number;
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
  /** Seconds for roots, hash and commit. */
  readonly commitSeconds: number;
}

/** What the main thread asks of admission. Transactions travel encoded; their hash is computed there. */
export type AdmissionRequest =
  | {
      readonly kind: "submit";
      readonly id: number;
      readonly bytes: Uint8Array;
      /** Set when another thread has validated it: what the executor need not compute again. */
      readonly validation?: { readonly prevalidated: Uint8Array | null };
    }
  | { readonly kind: "find"; readonly id: number; readonly hash: Felt }
  | { readonly kind: "rejection"; readonly id: number; readonly hash: Felt };

/** Main thread to admission; with what the main thread had seen. */
export type ToAdmission = (AdmissionRequest & { readonly position: ReadPosition }) | StopMessage;

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
  | { readonly kind: "found"; readonly id: number; readonly bytes: Uint8Array | null }
  | { readonly kind: "rejectionFound"; readonly id: number; readonly reason: string | null }
  | { readonly kind: "rejected"; readonly rejections: readonly ReportedRejection[] }
  | { readonly kind: "mempoolSize"; readonly waiting: number };

/** Admission to the main thread; with what admission had seen. */
export type FromAdmission = AdmissionReply & { readonly position: ReadPosition };
/** Admission to the executor. */
export type AdmissionToExecutor =
  /**
   * `bytes` is made by `encodeBatch`; `attempt` is above 1 for a transaction that was being executed
   * when the process died: it comes alone, and gets a block of its own.
   */
  | {
      readonly kind: "batch";
      readonly count: number;
      readonly attempt: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "wake" };

/** Executor to committer: a block without roots and hash, encoded as one pending delta. */
export interface SealedMessage {
  readonly kind: "sealed";
  readonly bytes: Uint8Array;
  /** As in the batch that the block was made of. */
  readonly attempt: number;
  /** Seconds from opening to sealing. */
  readonly productionSeconds: number;
}

/** Main thread to a query worker. */
export type ToQuery =
  | {
      readonly kind: "query";
      readonly id: number;
      /** What the main thread had seen: the answer is not older. */
      readonly position: ReadPosition;
      readonly specVersion: string;
      readonly method: string;
      readonly paramsText: string;
    }
  | {
      readonly kind: "validate";
      readonly id: number;
      readonly position: ReadPosition;
      /** An encoded transaction with its hash. */
      readonly bytes: Uint8Array;
      readonly senderIsToBeDeployed: boolean;
    }
  | StopMessage;

/**
 * A query worker's answer: UTF-8 JSON with `result` or `error`, for a validation what
 * `encodeSlowValidation` makes; or an error for the log.
 */
export type FromQuery =
  | {
      readonly kind: "answer";
      /** The cancel flag ended the query before its end. */
      readonly isCancelled: boolean;
      readonly id: number;
      /** What the thread had seen: nobody may see the answer before the main thread has, too. */
      readonly position: ReadPosition;
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: "internalError";
      readonly method: string;
      readonly logId: string;
      readonly reason: string;
    };
