import type { AnswerStream, Client } from "#api/rpc/index.ts";
import type { QueryWork } from "../threads/query-messages.ts";
import { REST_BYTES } from "./open-results.ts";
import { TRACE_LIMITS } from "./trace-limits.ts";
import type { WorkKind } from "./work-kinds.ts";

/** What runs longer is cancelled; of queries the default of `--rpc-timeout`. */
export const DEADLINE_MS = 30_000;

/** Those who submit take turns among themselves, and as one with each address that asks. */
export const SUBMISSIONS: Client = { address: "submissions" };

/** What a job is. */
export interface JobOptions {
  readonly work: QueryWork;
  readonly kind: WorkKind;
  /** Whose turn it takes. */
  readonly client: Client;
  /** It is known to be long, whatever others of its kind took. */
  readonly isLong: boolean;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal | undefined;
}

/** How a job may end. */
export interface JobEnds {
  /** @param rest - what follows behind the bytes of a long answer */
  readonly resolve: (bytes: Uint8Array, rest?: AnswerStream) => void;
  /** Without an answer. */
  readonly fail: (reason: string) => void;
  /** Without having been begun: there is no room for it. */
  readonly refuse: (reason: string) => void;
}

/** Something to be done by a query thread. Of several ends the first one counts. */
export class QueryJob implements JobEnds {
  readonly kind: WorkKind;
  readonly client: Client;
  readonly signal: AbortSignal | undefined;
  work: QueryWork;
  isLong: boolean;
  /** How often it was stopped because no query may run. */
  heldBack = 0;
  /** Its waiting time is over: it does not wait again. */
  isLate = false;
  /** Nobody waits for it. */
  isAbandoned = false;
  readonly #ends: JobEnds;
  #stopClock: (() => void) | undefined;

  constructor({ work, kind, client, isLong, signal }: JobOptions, ends: JobEnds) {
    this.work = work;
    this.kind = kind;
    this.client = client;
    this.isLong = isLong;
    this.signal = signal;
    this.#ends = ends;
  }

  /**
   * Its waiting time has begun, if it had not before.
   *
   * @param start - sets the alarm at the end of that time, and returns what takes it back
   */
  startClock(start: () => () => void): void {
    this.#stopClock ??= start();
  }

  /** Takes the alarm back. */
  stopClock(): void {
    this.#stopClock?.();
  }

  resolve(bytes: Uint8Array, rest?: AnswerStream): void {
    this.stopClock();
    this.#ends.resolve(bytes, rest);
  }

  fail(reason: string): void {
    this.stopClock();
    this.#ends.fail(reason);
  }

  refuse(reason: string): void {
    this.stopClock();
    this.#ends.refuse(reason);
  }
}

/** How long a job may wait, and how long it may run before its cancel flag is raised, in milliseconds. */
export function limitMsOf({ work }: Pick<QueryJob, "work">, deadlineMs: number): number {
  return work.kind === "query" ? deadlineMs : DEADLINE_MS;
}

/** About how many bytes a job keeps. */
export function sizeBytesOf(work: QueryWork): number {
  if (work.kind === "rest") return 0;
  if (work.kind !== "query") return work.bytes.byteLength;
  const { paramsText, compiled = [] } = work;
  return compiled.reduce(
    (sum, { outcome }) => sum + (outcome.kind === "compiled" ? outcome.casmJson.length : 0),
    paramsText.length,
  );
}

/** Methods that make traces; those of the feeder gateway are among them. */
const TRACING: ReadonlySet<string> = new Set([
  "traceTransaction",
  "traceBlockTransactions",
  "simulateTransactions",
  "blockTraces",
  "transactionTrace",
]);

/** About how many bytes a thread may take for the traces of a job, beside those of its response. */
export function makingBytesOf(work: QueryWork): number {
  if (work.kind === "rest") return REST_BYTES;
  return work.kind === "query" && TRACING.has(work.method) ? TRACE_LIMITS.maxHeldBytes : 0;
}
