import type { QueryWork } from "./messages.ts";

/** What runs longer is cancelled; of queries the default of `--rpc-timeout`. */
export const DEADLINE_MS = 30_000;

/**
 * How long a query may hold the quick thread, the first and the second time. What is not done then is
 * begun anew: the second time when no other query waits for its first, at last on another thread. A
 * short query on a busy machine is done in the second time, and need not queue up behind long ones.
 */
export const QUICK_MS = [100, 400] as const;

/** Something to be done by a query thread. */
export interface QueryJob {
  work: QueryWork;
  readonly resolve: (bytes: Uint8Array) => void;
  /** Ends the job without an answer. */
  readonly fail: (reason: string) => void;
  /** How often the quick thread gave it up. */
  givenUp: number;
  /** How often it was stopped because no query may run. */
  heldBack?: number;
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
  /** Nobody does. */
  isAbandoned?: boolean;
}

/**
 * How long a job may run before its cancel flag is raised, in milliseconds.
 *
 * @param isQuick - the thread runs nothing for long
 * @param deadlineMs - of queries
 */
export function limitMsOf(
  { givenUp, work }: QueryJob,
  isQuick: boolean,
  deadlineMs = DEADLINE_MS,
): number {
  const limitMs = work.kind === "query" ? deadlineMs : DEADLINE_MS;
  return Math.min(limitMs, (isQuick ? QUICK_MS[givenUp] : undefined) ?? limitMs);
}

/** About how many bytes a job keeps. */
export function sizeBytesOf(work: QueryWork): number {
  if (work.kind !== "query") return work.bytes.byteLength;
  const { paramsText, compiled = [] } = work;
  return compiled.reduce(
    (sum, { outcome }) => sum + (outcome.kind === "compiled" ? outcome.casmJson.length : 0),
    paramsText.length,
  );
}

/** Jobs that wait for a thread, by how they have fared. */
export class QueryLanes {
  /** Not begun yet. */
  readonly #first = new Set<QueryJob>();
  /** Begun once by the quick thread. */
  readonly #second = new Set<QueryJob>();
  /** Begun by the quick thread and too long for it. */
  readonly #long = new Set<QueryJob>();
  #sizeBytes = 0;

  /** About how many bytes of jobs wait. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** How many jobs wait. */
  get size(): number {
    return this.#first.size + this.#second.size + this.#long.size;
  }

  /** Puts a job behind the others of its lane. */
  push(job: QueryJob): void {
    this.#sizeBytes += sizeBytesOf(job.work);
    if (job.givenUp === 0) this.#first.add(job);
    else if (job.givenUp < QUICK_MS.length) this.#second.add(job);
    else this.#long.add(job);
  }

  /**
   * Takes out the next job for a thread. The quick one begins what was not begun first, and never
   * what is known to be long; the others do what is long first.
   */
  next(isQuick: boolean): QueryJob | undefined {
    const lanes = isQuick ? [this.#first, this.#second] : [this.#long, this.#second, this.#first];
    const [next] = lanes.find((lane) => lane.size > 0) ?? [];
    if (next !== undefined) this.remove(next);
    return next;
  }

  /** Takes out a job, if it waits. */
  remove(job: QueryJob): void {
    const lanes = [this.#first, this.#second, this.#long];
    if (lanes.some((lane) => lane.delete(job))) this.#sizeBytes -= sizeBytesOf(job.work);
  }

  /** Takes out everything. */
  drain(): readonly QueryJob[] {
    const jobs = [...this.#first, ...this.#second, ...this.#long];
    this.#first.clear();
    this.#second.clear();
    this.#long.clear();
    this.#sizeBytes = 0;
    return jobs;
  }
}
