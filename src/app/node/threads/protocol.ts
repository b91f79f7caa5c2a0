import type {
  AdmissionToExecutor,
  DeltaMessage,
  ExecutorToAdmission,
  SubmissionOutcome,
} from "#services/admission/index.ts";
import type { AcceptedMessage, SealedMessage } from "#services/sequencer/index.ts";
import type { Felt, Port } from "#base/primitives/index.ts";
import type { ReadPosition } from "../position-gate.ts";
import type { ReportedRejection } from "../rejection-report.ts";
import type { NodeSetup } from "../setup.ts";

/** What a thread does: of `query` threads there are several. */
export type ThreadRole = "admission" | "executor" | "committer" | "query";

/** A thread of the node; each end of a connection has the name of the other. */
export type ThreadName = Exclude<ThreadRole, "query"> | `query-${number}`;

/** The role of a thread. */
export type RoleOf<Name extends ThreadName> =
  Name extends Exclude<ThreadRole, "query"> ? Name : "query";

/**
 * Who talks to whom: what each thread (first) posts to each other (second). Who is not named here is
 * not told anything.
 */
export interface Messages {
  readonly main: { readonly admission: ToAdmission; readonly query: ToQuery };
  readonly admission: { readonly main: FromAdmission; readonly executor: AdmissionToExecutor };
  readonly executor: {
    readonly main: DeltaMessage;
    readonly admission: ExecutorToAdmission;
    readonly committer: SealedMessage;
    readonly query: DeltaMessage;
  };
  readonly committer: {
    readonly main: AcceptedMessage;
    readonly admission: AcceptedMessage;
    readonly executor: AcceptedMessage;
    readonly query: AcceptedMessage;
  };
  readonly query: { readonly main: FromQuery };
}

/** What `From` posts to `To`. */
type Sent<From extends keyof Messages, To extends keyof Messages> = To extends keyof Messages[From]
  ? Messages[From][To]
  : never;

/** The end of `Self` of its connection with `Other`. */
export type PortBetween<Self extends keyof Messages, Other extends keyof Messages> = Port<
  Sent<Other, Self>,
  Sent<Self, Other>
>;

/** What a thread is given to start. */
export interface WorkerInit {
  readonly setup: NodeSetup;
  readonly ports: Readonly<Partial<Record<ThreadName, MessagePort>>>;
  /** Shared flag of the thread's Cairo machine: non-zero cancels what runs. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Permits of the query threads' machines for runs that need much memory. */
  readonly memoryPermits: SharedArrayBuffer;
}

/** What the main thread tells every thread: to start; and to finish what is in hand and close files. */
export type WorkerCommand =
  { readonly kind: "init"; readonly init: WorkerInit } | { readonly kind: "stop" };

/** What every thread tells the main thread about itself. */
export type WorkerReport =
  | { readonly kind: "ready" }
  | { readonly kind: "started" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped" };

const COMMANDS: ReadonlySet<string> = new Set<WorkerCommand["kind"]>(["init", "stop"]);
const REPORTS: ReadonlySet<string> = new Set<WorkerReport["kind"]>([
  "ready",
  "started",
  "failed",
  "stopped",
]);

/** A message between the main thread and a thread, before it is known what it is about. */
export interface AnyMessage {
  readonly kind: string;
}

/** Whether a message of the main thread is for the thread itself. */
export function isCommand(message: AnyMessage): message is WorkerCommand {
  return COMMANDS.has(message.kind);
}

/** Whether a message of a thread is about the thread itself. */
export function isReport(message: AnyMessage): message is WorkerReport {
  return REPORTS.has(message.kind);
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
export type ToAdmission = AdmissionRequest & { readonly position: ReadPosition };

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
    };

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
