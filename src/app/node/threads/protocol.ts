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
import type { Batch } from "./batched-port.ts";
import type { HelpMessage } from "./hasher-messages.ts";
import type { FromQuery, ToQuery } from "./query-messages.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { RevertMessages } from "./revert-messages.ts";

/** What a thread does. */
export type ThreadKind =
  | "admission"
  | "validator"
  | "executor"
  | "committer"
  | "hasher"
  | "query"
  | "sync"
  | "verifier"
  | "reverter";

/** Kinds of which there may be several threads. */
export type SeveralKind = "query" | "hasher" | "validator";

/** Those that a role has; the others come and go with a task, or are another thread's own. */
export type PlannedKind = Exclude<ThreadKind, "reverter" | "hasher">;

/** A thread of the node; each end of a connection has the name of the other. */
export type ThreadName = Exclude<ThreadKind, SeveralKind> | `${SeveralKind}-${number}`;

/** The kind of a thread. */
export function kindOf<Name extends ThreadName>(name: Name): KindOf<Name> {
  return name.replace(/-\d+$/, "") as KindOf<Name>;
}

/** The number of a thread among those of its kind. */
export function indexOf(name: ThreadName): number {
  return Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
}

/** The same as {@link kindOf} of a name that is known. */
export type KindOf<Name extends ThreadName> =
  Name extends Exclude<ThreadKind, SeveralKind>
    ? Name
    : Name extends `${infer Kind extends SeveralKind}-${number}`
      ? Kind
      : never;

/**
 * Who talks to whom: what each thread (first) posts to each other (second). Who is not named here is
 * not told anything.
 */
export interface Messages {
  readonly main: {
    readonly admission: Batch<ToAdmission>;
    readonly validator: Batch<ToValidator>;
    readonly executor: ControlRequest;
    readonly committer: SettleOnL1;
    readonly sync: ToSync;
    readonly query: ToQuery;
    /** Of the thread that started it. */
    readonly hasher: HelpMessage;
    readonly reverter: RevertMessages["to"];
  };
  readonly admission: {
    readonly main: Batch<FromAdmission>;
    readonly executor: AdmissionToExecutor;
    readonly validator: Batch<AdmissionToValidator>;
  };
  readonly validator: { readonly admission: Batch<ValidatorToAdmission> };
  readonly executor: {
    readonly main: DeltaMessage | ControlReply | ClockJumpMessage;
    readonly admission: ExecutorToAdmission;
    readonly committer: DeltaMessage | SealedMessage | RehearsalMessage;
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
  readonly query: { readonly main: FromQuery };
  readonly hasher: { readonly main: never };
  readonly reverter: { readonly main: RevertMessages["from"] };
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

/** Who tells of what is executed, and who of what is accepted: two threads, or one for both. */
export type GrowthSources =
  | { readonly deltas: "executor"; readonly accepted: "committer" }
  | { readonly deltas: "sync"; readonly accepted: "sync" };

/** What a thread is given to start. */
export interface WorkerInit {
  readonly setup: NodeSetup;
  /** Its number among those of its kind; 0 where there is one. */
  readonly index: number;
  readonly ports: Readonly<Partial<Record<ThreadName, MessagePort>>>;
  /** Who tells of the chain's growth; `null`: nobody tells this thread. */
  readonly growth: GrowthSources | null;
  /** Shared flag of the thread's Cairo machine: non-zero cancels what runs. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Permits of the query threads' machines for runs that need much memory. */
  readonly memoryPermits: SharedArrayBuffer;
  /** What the machines of all threads keep between their runs. */
  readonly keptMemory: SharedArrayBuffer;
  /** Counts the progress of the thread: see `Pulse`. */
  readonly pulse: SharedArrayBuffer;
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
