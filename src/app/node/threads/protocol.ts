import type {
  AdmissionToExecutor,
  AdmissionToValidator,
  DeltaMessage,
  ExecutorToAdmission,
  FromAdmission,
  ToAdmission,
  ToValidator,
  ValidatorToAdmission,
} from "#services/admission/index.ts";
import type {
  AcceptedMessage,
  ClockJumpMessage,
  ControlReply,
  ControlRequest,
  GateMessage,
  RehearsalMessage,
  SealedMessage,
  SettledOnL1,
  SettleOnL1,
} from "#services/sequencer/index.ts";
import type {
  FromSync,
  FromVerifier,
  SyncToQuery,
  ToSync,
  ToVerifier,
} from "#services/sync/index.ts";
import type { Port } from "#base/primitives/index.ts";
import type { OriginReply, OriginRequest } from "#io/origin/index.ts";
import type { Batch } from "./batched-port.ts";
import type { FromExplorer, ToExplorer } from "./explorer-messages.ts";
import type { FromFork, ToFork } from "./fork-messages.ts";
import type { HelpMessage } from "./hasher-messages.ts";
import type { FromQuery, ToQuery } from "./query-messages.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { RevertMessages } from "./revert-messages.ts";

/** Kind of a thread, named after its task. */
export type ThreadKind =
  | "admission"
  | "validator"
  | "executor"
  | "committer"
  | "explorer"
  | "fork"
  | "hasher"
  | "query"
  | "sync"
  | "verifier"
  | "reverter";

/** Kinds that may have several threads. */
export type SeveralKind = "query" | "hasher" | "validator";

/** Kinds that a role plans; the others exist only for a task, or belong to another thread. */
export type PlannedKind = Exclude<ThreadKind, "reverter" | "hasher">;

/** Name of a thread; each end of a connection is labelled with the other's name. */
export type ThreadName = Exclude<ThreadKind, SeveralKind> | `${SeveralKind}-${number}`;

/** Returns the kind of a thread from its name: the name without the index of a kind with several threads. */
export function kindOf<Name extends ThreadName>(name: Name): KindOf<Name> {
  return name.replace(/-\d+$/, "") as KindOf<Name>;
}

/** Index of a thread within its kind. */
export function indexOf(name: ThreadName): number {
  return Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
}

/** Type-level {@link kindOf}. */
export type KindOf<Name extends ThreadName> =
  Name extends Exclude<ThreadKind, SeveralKind>
    ? Name
    : Name extends `${infer Kind extends SeveralKind}-${number}`
      ? Kind
      : never;

/** Message types from each thread (first key) to each other one (second key); no others are connected. */
export interface Messages {
  readonly main: {
    readonly admission: Batch<ToAdmission>;
    readonly validator: Batch<ToValidator>;
    readonly executor: ControlRequest;
    readonly committer: SettleOnL1;
    readonly explorer: ToExplorer;
    readonly fork: ToFork;
    readonly sync: ToSync;
    readonly query: ToQuery;
    /** Sent by the thread that started it. */
    readonly hasher: HelpMessage;
    readonly reverter: RevertMessages["to"];
  };
  readonly admission: {
    readonly main: Batch<FromAdmission>;
    readonly executor: AdmissionToExecutor;
    readonly fork: OriginRequest;
    readonly validator: Batch<AdmissionToValidator>;
  };
  readonly validator: {
    readonly admission: Batch<ValidatorToAdmission>;
    readonly fork: OriginRequest;
  };
  readonly executor: {
    readonly main: DeltaMessage | ControlReply | ClockJumpMessage;
    readonly admission: ExecutorToAdmission;
    readonly committer: DeltaMessage | SealedMessage | RehearsalMessage;
    readonly fork: OriginRequest;
    readonly query: DeltaMessage;
    readonly validator: DeltaMessage;
  };
  readonly committer: {
    readonly main: AcceptedMessage | GateMessage | SettledOnL1;
    readonly admission: AcceptedMessage;
    readonly executor: AcceptedMessage;
    readonly query: AcceptedMessage;
    readonly validator: AcceptedMessage;
  };
  readonly sync: {
    readonly main: FromSync;
    readonly verifier: ToVerifier;
    readonly query: SyncToQuery;
  };
  readonly verifier: { readonly sync: FromVerifier };
  readonly query: { readonly fork: OriginRequest; readonly main: FromQuery };
  readonly fork: {
    readonly main: FromFork;
    readonly admission: OriginReply;
    readonly executor: OriginReply;
    readonly query: OriginReply;
    readonly validator: OriginReply;
  };
  readonly explorer: { readonly main: FromExplorer };
  readonly hasher: { readonly main: never };
  readonly reverter: { readonly main: RevertMessages["from"] };
}

/** Messages that `From` posts to `To`. */
type Sent<From extends keyof Messages, To extends keyof Messages> = To extends keyof Messages[From]
  ? Messages[From][To]
  : never;

/** Port of `Self` in its connection with `Other`. */
export type PortBetween<Self extends keyof Messages, Other extends keyof Messages> = Port<
  Sent<Other, Self>,
  Sent<Self, Other>
>;

/** Threads that report executed transactions and accepted blocks: two threads, or one for both. */
export type GrowthSources =
  | { readonly deltas: "executor"; readonly accepted: "committer" }
  | { readonly deltas: "sync"; readonly accepted: "sync" };

/** Parameters of a thread's start. */
export interface WorkerInit {
  readonly setup: NodeSetup;
  /** Index within its kind; 0 if it is the only one. */
  readonly index: number;
  readonly ports: Readonly<Partial<Record<ThreadName, MessagePort>>>;
  /** Threads that report the chain's growth; `null` if they do not report it to this one. */
  readonly growth: GrowthSources | null;
  /** Shared flag of the thread's Cairo machine: non-zero cancels the run in progress. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Permits of the query threads' machines for runs that need much memory. */
  readonly memoryPermits: SharedArrayBuffer;
  /** Counter of the memory that the machines of all threads keep between runs. */
  readonly retainedMemory: SharedArrayBuffer;
  /** Counts the progress of the thread; see `Pulse`. */
  readonly pulse: SharedArrayBuffer;
}

/** Commands from the main thread: start the service, or finish work in progress and close files. */
export type WorkerCommand =
  { readonly kind: "init"; readonly init: WorkerInit } | { readonly kind: "stop" };

/** Reports of a thread about itself. */
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

/** Message between the main thread and a thread, before its kind is known. */
export interface AnyMessage {
  readonly kind: string;
}

/** Whether a message from the main thread is a command to the thread itself. */
export function isCommand(message: AnyMessage): message is WorkerCommand {
  return COMMANDS.has(message.kind);
}

/** Whether a message from a thread is a report about itself. */
export function isReport(message: AnyMessage): message is WorkerReport {
  return REPORTS.has(message.kind);
}
