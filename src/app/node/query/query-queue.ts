import type { HeldBytes } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { limitMsOf, type QueryJob, SUBMISSIONS } from "./query-job.ts";
import { type NextJob, QueryLanes } from "./query-lanes.ts";
import { WAITING_LIMITS, WaitingJobs } from "./waiting-jobs.ts";
import type { WorkMemory } from "./work-memory.ts";

const FULL = "the node is busy, too many requests are waiting: try again later";
const WAITED = "the node is busy, the request was not begun in time: try again later";

/** What a queue works with. */
export interface QueryQueueDeps {
  readonly memory: WorkMemory;
  readonly timer: Timer;
  /** A query that waits longer is refused. */
  readonly deadlineMs: number;
  /** Queries of clients without room for answers wait; submissions add no bytes. */
  readonly held: Pick<HeldBytes, "hasRoom">;
}

/** What waits for a query thread: bounded in number, bytes and time, in the order of its turns. */
export class QueryQueue {
  readonly #deps: QueryQueueDeps;
  readonly #lanes: QueryLanes;
  readonly #waiting = new WaitingJobs(WAITING_LIMITS);

  constructor(deps: QueryQueueDeps) {
    this.#deps = deps;
    this.#lanes = new QueryLanes(
      deps.memory,
      (client) => client === SUBMISSIONS || deps.held.hasRoom(client),
    );
  }

  /** Lets a job wait where there is room for it or others have more; refuses it or theirs otherwise. */
  enter(job: QueryJob): void {
    for (;;) {
      const inTheWay = this.#waiting.inTheWay(job);
      if (inTheWay === undefined) break;
      this.remove(inTheWay);
      inTheWay.refuse(FULL);
      if (inTheWay === job) return;
    }
    const { timer, deadlineMs } = this.#deps;
    job.startClock(() =>
      timer.after(limitMsOf(job, deadlineMs), () => {
        job.isLate = true;
        if (this.remove(job)) job.refuse(WAITED);
      }),
    );
    this.enterAgain(job);
  }

  /** Lets a job that was begun before wait, unless it has waited for as long as it may. */
  enterAgain(job: QueryJob): void {
    if (job.isLate) return job.refuse(WAITED);
    this.#waiting.add(job);
    this.#lanes.push(job);
  }

  /** Takes out the next job for a thread; see {@link QueryLanes.next}. */
  next(mayBeLong: boolean): NextJob | undefined {
    return this.#taken(this.#lanes.next(mayBeLong));
  }

  /** Takes out one job more for a thread; see {@link QueryLanes.nextShort}. */
  nextShort(mostMs: number): NextJob | undefined {
    return this.#taken(this.#lanes.nextShort(mostMs));
  }

  /** How many jobs wait. */
  get size(): number {
    return this.#lanes.size;
  }

  /** Counts processor time of a job; negative when less was used than counted before. */
  charge(job: NextJob, ms: number): void {
    this.#lanes.charge(job, ms);
  }

  /** Takes a job out. @returns whether it waited */
  remove(job: QueryJob): boolean {
    this.#waiting.remove(job);
    return this.#lanes.remove(job);
  }

  /** Takes out everything. */
  drain(): readonly QueryJob[] {
    const jobs = this.#lanes.drain();
    for (const job of jobs) this.#waiting.remove(job);
    return jobs;
  }
  #taken(next: NextJob | undefined): NextJob | undefined {
    if (next !== undefined) this.#waiting.remove(next.job);
    return next;
  }
}
