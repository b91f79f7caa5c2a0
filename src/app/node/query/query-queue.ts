import type { HeldBytes } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { limitMsOf, type QueryJob, SUBMISSIONS } from "./query-job.ts";
import { type NextJob, QueryLanes } from "./query-lanes.ts";
import { WAITING_LIMITS, WaitingJobs } from "./waiting-jobs.ts";
import type { WorkMemory } from "./work-memory.ts";

const FULL = "the node is busy, too many requests are waiting: try again later";
const WAITED = "the node is busy, the request was not started in time: try again later";

/** Dependencies of {@link QueryQueue}. */
export interface QueryQueueDeps {
  readonly memory: WorkMemory;
  readonly timer: Timer;
  /** Maximum wait of a query before it is refused, in milliseconds. */
  readonly deadlineMs: number;
  /** Bytes held for clients. Queries of clients without room for responses wait; submissions are exempt. */
  readonly held: Pick<HeldBytes, "hasRoom">;
}

/** Queue of jobs for query threads, bounded in number, bytes and time. */
export class QueryQueue {
  readonly #deps: QueryQueueDeps;
  readonly #lanes: QueryLanes;
  /** Jobs in the lanes, and parked ones. */
  readonly #waiting = new WaitingJobs(WAITING_LIMITS);
  readonly #parked = new Set<QueryJob>();

  constructor(deps: QueryQueueDeps) {
    this.#deps = deps;
    this.#lanes = new QueryLanes(
      deps.memory,
      (client) => client === SUBMISSIONS || deps.held.hasRoom(client),
    );
  }

  /** Queues a job. Without room, it refuses jobs of the clients that have the most, or the job itself. */
  enter(job: QueryJob): void {
    if (!this.#makeRoom(job)) return;
    const { timer, deadlineMs } = this.#deps;
    job.startClock(() =>
      timer.after(limitMsOf(job, deadlineMs), () => {
        job.isLate = true;
        // It may have moved to another queue.
        if (job.queue?.expire(job) === true) job.refuse(WAITED);
      }),
    );
    this.enterAgain(job);
  }

  /** Requeues a job that was started before, or refuses it if its maximum wait is over. */
  enterAgain(job: QueryJob): void {
    if (job.isLate) return job.refuse(WAITED);
    job.queue = this;
    this.#waiting.add(job);
    this.#lanes.push(job);
  }

  /**
   * Counts a job that waits for something else than a thread, such as values of a fork's origin, until {@link
   * unpark}. Without room, it refuses jobs as {@link enter}.
   *
   * @returns whether the job was not refused itself
   */
  park(job: QueryJob): boolean {
    if (!this.#makeRoom(job)) return false;
    job.queue = this;
    this.#parked.add(job);
    this.#waiting.add(job);
    return true;
  }

  /** Ends {@link park}; ignores other jobs. */
  unpark(job: QueryJob): void {
    if (this.#parked.delete(job)) this.#waiting.remove(job);
  }

  /** Removes a job whose maximum wait is over, unless it is parked. @returns whether it was waiting */
  expire(job: QueryJob): boolean {
    return !this.#parked.has(job) && this.remove(job);
  }

  /** @returns `false` if the job itself was refused */
  #makeRoom(job: QueryJob): boolean {
    for (;;) {
      const inTheWay = this.#waiting.inTheWay(job);
      if (inTheWay === undefined) return true;
      this.remove(inTheWay);
      inTheWay.refuse(FULL);
      if (inTheWay === job) return false;
    }
  }

  /** Takes the next job for a thread; see {@link QueryLanes.next}. */
  next(mayBeLong: boolean): NextJob | undefined {
    return this.#dequeued(this.#lanes.next(mayBeLong));
  }

  /** Takes another job for a thread; see {@link QueryLanes.nextShort}. */
  nextShort(mostMs: number): NextJob | undefined {
    return this.#dequeued(this.#lanes.nextShort(mostMs));
  }

  /** Number of waiting jobs. */
  get size(): number {
    return this.#lanes.size;
  }

  /** Charges processor time of a job; negative if less was used than charged before. */
  charge(job: NextJob, ms: number): void {
    this.#lanes.charge(job, ms);
  }

  /** Removes a job. @returns whether it was waiting for a thread */
  remove(job: QueryJob): boolean {
    this.#parked.delete(job);
    this.#waiting.remove(job);
    return this.#lanes.remove(job);
  }

  /** Removes and returns all jobs, parked ones too. */
  drain(): readonly QueryJob[] {
    const jobs = [...this.#parked, ...this.#lanes.drain()];
    this.#parked.clear();
    for (const job of jobs) this.#waiting.remove(job);
    return jobs;
  }
  #dequeued(next: NextJob | undefined): NextJob | undefined {
    if (next !== undefined) this.#waiting.remove(next.job);
    return next;
  }
}
