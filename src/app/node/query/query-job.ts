import type { AnswerStream, Client } from "#api/rpc/index.ts";
import type { QueryWork } from "../threads/query-messages.ts";
import { REST_BYTES } from "./open-results.ts";
import { TRACE_LIMITS } from "./trace-limits.ts";
import type { WorkKind } from "./work-kinds.ts";

/** Time limit of jobs other than queries; for queries, the default of `--rpc-timeout`. */
export const DEADLINE_MS = 30_000;

/**
 * Client under which the checks of all submissions queue for query threads: together they take
 * turns like a single address.
 */
export const SUBMISSIONS: Client = { address: "submissions" };

/** Options of {@link QueryJob}. */
export interface JobOptions {
  readonly work: QueryWork;
  readonly kind: WorkKind;
  /** Client that is charged, and whose turn it is. */
  readonly client: Client;
  /** Whether the job is known to be long, regardless of its kind's history. */
  readonly isLong: boolean;
  /** Aborted when the client no longer waits for it. */
  readonly signal: AbortSignal | undefined;
}

/** Possible outcomes of a job. */
export interface JobEnds {
  /** @param rest - stream of the parts after `bytes`, for a long response */
  readonly resolve: (bytes: Uint8Array, rest?: AnswerStream) => void;
  /** Ends the job without a response. */
  readonly fail: (reason: string) => void;
  /** Ends the job before it started, because capacity is exhausted. */
  readonly refuse: (reason: string) => void;
}

/** Queue of jobs. */
export interface JobQueue {
  /** Removes a job whose maximum wait is over. @returns whether it was waiting for a thread */
  expire(job: QueryJob): boolean;
}

/** Job of a query thread. Only the first outcome counts. */
export class QueryJob implements JobEnds {
  readonly kind: WorkKind;
  readonly client: Client;
  readonly signal: AbortSignal | undefined;
  work: QueryWork;
  isLong: boolean;
  /** Number of times it was stopped for a revert of the chain. */
  heldBack = 0;
  /** Whether its maximum wait is over, so that it is not queued again. */
  isLate = false;
  /** Number of times that values of a fork's origin were fetched for it. */
  fetches = 0;
  /** Queue in which it waits, or waited last. */
  queue: JobQueue | undefined;
  /** Whether the client no longer waits. */
  isAbandoned = false;
  #isEnded = false;
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
   * Starts the timeout of its wait, unless it already runs.
   *
   * @param start - starts a timer, and returns a function that cancels it
   */
  startClock(start: () => () => void): void {
    this.#stopClock ??= start();
  }

  /** Whether it has an outcome. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Cancels the timeout. */
  stopClock(): void {
    this.#stopClock?.();
  }

  resolve(bytes: Uint8Array, rest?: AnswerStream): void {
    this.#end();
    this.#ends.resolve(bytes, rest);
  }

  fail(reason: string): void {
    this.#end();
    this.#ends.fail(reason);
  }

  refuse(reason: string): void {
    this.#end();
    this.#ends.refuse(reason);
  }

  #end(): void {
    this.#isEnded = true;
    this.stopClock();
  }
}

/** Maximum wait of a job, and maximum runtime before its cancel flag is raised, in milliseconds. */
export function limitMsOf({ work }: Pick<QueryJob, "work">, deadlineMs: number): number {
  return work.kind === "query" ? deadlineMs : DEADLINE_MS;
}

/** Approximate size of a job in memory. */
export function sizeBytesOf(work: QueryWork): number {
  if (work.kind === "rest") return 0;
  if (work.kind !== "query") return work.bytes.byteLength;
  const { paramsText, compiled = [], fetched = [] } = work;
  const fetchedBytes = fetched.reduce((sum, { value }) => sum + (value?.byteLength ?? 0), 0);
  return compiled.reduce(
    (sum, { outcome }) => sum + (outcome.kind === "compiled" ? outcome.casmJson.length : 0),
    paramsText.length + fetchedBytes,
  );
}

/** Methods that make traces, including those of the feeder gateway. */
const TRACING: ReadonlySet<string> = new Set([
  "traceTransaction",
  "traceBlockTransactions",
  "simulateTransactions",
  "blockTraces",
  "transactionTrace",
]);

/** Approximate memory that a thread needs for the traces of a job, besides its response. */
export function makingBytesOf(work: QueryWork): number {
  if (work.kind === "rest") return REST_BYTES;
  return work.kind === "query" && TRACING.has(work.method) ? TRACE_LIMITS.maxHeldBytes : 0;
}
