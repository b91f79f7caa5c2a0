import { AppError } from "#base/errors/index.ts";
import type { Client } from "#api/rpc/index.ts";
import { type FetchedValue, type OriginQuery, originQueryText } from "#io/origin/index.ts";
import type { QueryJob } from "./query-job.ts";

/** Pool of the query thread that waits for the origin. */
export interface ForkLane {
  adopt(job: QueryJob): void;
  abandon(job: QueryJob): void;
  stop(reason?: string): void;
  cancel(): void;
  hold(): Promise<void>;
  release(): void;
}

/** Queue of the pool that a job comes from. */
export interface ForkedQueue {
  /** Counts a job while its values are fetched. @returns `false` if it was refused for lack of room */
  park(job: QueryJob): boolean;
  unpark(job: QueryJob): void;
  /** Runs a job again. */
  enter(job: QueryJob): void;
}

/** Dependencies of {@link ForkedJobs}. */
export interface ForkedJobsDeps {
  /** @throws {OriginError} when the origin does not return one of the values */
  readonly fetch: (
    queries: readonly OriginQuery[],
    client: Client,
  ) => Promise<readonly FetchedValue[]>;
  /** `null` for the jobs of the lane itself. */
  readonly lane: ForkLane | null;
}

/** Number of fetches of a job after which it goes to the lane, where a value rarely costs a new run. */
const MAX_FETCHES = 64;

/** Methods that read the state without executing: one or two values, which are fetched before they run again. */
const STATE_READS: ReadonlySet<string> = new Set(["getClass", "getClassAt", "getCompiledCasm"]);

/** Values of the state, of which an execution reads many one after another. */
const STATE_KINDS: ReadonlySet<OriginQuery["kind"]> = new Set([
  "storage",
  "nonce",
  "classHash",
  "class",
]);

/**
 * Continues jobs that lack values of a fork's origin. A job occupies no thread while its values are fetched, and
 * then runs again. Executions move to the lane, whose thread waits briefly for each value, so that few of them
 * have to run again.
 */
export class ForkedJobs {
  readonly lane: ForkLane | null;
  readonly #fetch: ForkedJobsDeps["fetch"];

  constructor({ fetch, lane }: ForkedJobsDeps) {
    this.lane = lane;
    this.#fetch = fetch;
  }

  /**
   * Continues a job.
   *
   * @param queue - gets the job once its values are fetched
   */
  async goOn(job: QueryJob, missing: readonly OriginQuery[], queue: ForkedQueue): Promise<void> {
    if (this.lane !== null && (executes(job, missing) || ++job.fetches > MAX_FETCHES)) {
      return this.lane.adopt(job);
    }
    if (!queue.park(job)) return;
    let fetched: readonly FetchedValue[];
    try {
      fetched = await this.#fetch(missing, job.client);
    } catch (error) {
      job.fail(error instanceof AppError ? error.message : "the fork's origin cannot be read");
      return;
    } finally {
      queue.unpark(job);
    }
    // It may have been refused meanwhile for lack of room.
    if (job.isAbandoned || job.isEnded) return;
    if (job.isLate) return job.fail(lateReason(missing));
    const { work } = job;
    if (work.kind === "query") {
      job.work = { ...work, fetched: [...(work.fetched ?? []), ...fetched] };
    }
    queue.enter(job);
  }
}

function executes({ work }: QueryJob, missing: readonly OriginQuery[]): boolean {
  const isState = missing.some(({ kind }) => STATE_KINDS.has(kind));
  return isState && !(work.kind === "query" && STATE_READS.has(work.method));
}

function lateReason(missing: readonly OriginQuery[]): string {
  const last = missing.map(originQueryText).join(", ");
  return `the request needs more values of the fork's origin than arrived in its time; the last one: ${last}`;
}
