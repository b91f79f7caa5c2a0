import { type Client, FairQueue, type Waiting } from "#api/rpc/index.ts";
import type { QueryJob } from "./query-job.ts";
import type { Expectation, WorkMemory } from "./work-memory.ts";

/** Shares of the time for short queries while both sorts wait. */
const WEIGHTS = { short: 4, unknown: 1 } as const;

type Quick = keyof typeof WEIGHTS;

/** A job that is to run now. */
export interface NextJob {
  readonly job: QueryJob;
  /** It runs as one that is known to be long. */
  readonly lane: Expectation;
}

/**
 * Jobs that wait for a thread, by what is known of them. In each lane clients take turns, by the
 * processor time that was spent on them.
 */
export class QueryLanes {
  readonly #memory: WorkMemory;
  readonly #hasRoom: (client: Client) => boolean;
  readonly #lanes: Readonly<Record<Expectation, FairQueue<QueryJob>>>;
  /** What was spent on each sort, divided by its weight. */
  readonly #spentMs: Record<Quick, number> = { short: 0, unknown: 0 };

  /** @param hasRoom - whether a client's jobs may start; those of others wait */
  constructor(memory: WorkMemory, hasRoom: (client: Client) => boolean) {
    this.#memory = memory;
    this.#hasRoom = hasRoom;
    const costMs = ({ kind }: QueryJob): number => memory.expectedMs(kind);
    this.#lanes = {
      short: new FairQueue(costMs),
      unknown: new FairQueue(costMs),
      long: new FairQueue(costMs),
    };
  }

  /** How many jobs wait. */
  get size(): number {
    const { short, unknown, long } = this.#lanes;
    return short.size + unknown.size + long.size;
  }

  /** Puts a job behind the others of its client. */
  push(job: QueryJob): void {
    const lane = this.#laneOf(job);
    if (lane !== "long") this.#catchUp(lane);
    this.#lanes[lane].push(job.client, job);
  }

  /**
   * Takes out the next job for a thread: a long one, if it may be one, otherwise none that is known to
   * be long by now.
   */
  next(mayBeLong: boolean): NextJob | undefined {
    for (;;) {
      const long = mayBeLong ? this.#lanes.long.shift(this.#hasRoom) : undefined;
      if (long !== undefined) return { job: long.item, lane: "long" };
      const next = this.#nextQuick();
      if (next === undefined) return undefined;
      const { item: job, client, lane } = next;
      if (this.#laneOf(job) !== "long") return { job, lane };
      this.#lanes.long.push(client, job);
    }
  }

  /** Of the other lane where nobody in the one whose turn it is has room. */
  #nextQuick(): (Waiting<QueryJob> & { readonly lane: Quick }) | undefined {
    const first = this.#quickLane();
    for (const lane of [first, first === "short" ? "unknown" : "short"] as const) {
      const next = this.#lanes[lane].shift(this.#hasRoom);
      if (next === undefined) continue;
      // Nobody in the lane that was passed over had room: that gives it no claim for later.
      if (lane !== first) {
        this.#spentMs[first] = Math.max(this.#spentMs[first], this.#spentMs[lane]);
      }
      return { ...next, lane };
    }
    return undefined;
  }

  /**
   * Takes out one job more for a thread that gets short queries: the next one, if it is such a one and
   * expected to take no more than `mostMs`.
   */
  nextShort(mostMs: number): NextJob | undefined {
    if (this.#quickLane() !== "short") return undefined;
    const next = this.#lanes.short.shiftIf(
      (job) =>
        job.work.kind === "query" &&
        this.#laneOf(job) === "short" &&
        this.#memory.expectedMs(job.kind) <= mostMs,
      this.#hasRoom,
    );
    return next && { job: next.item, lane: "short" };
  }

  /** Takes out a job, if it waits. */
  remove(job: QueryJob): boolean {
    return Object.values(this.#lanes).some((lane) => lane.remove(job.client, job));
  }

  /** Counts processor time of a job; negative when less was used than counted before. */
  charge({ job, lane }: NextJob, ms: number): void {
    this.#lanes[lane].charge(job.client, ms);
    if (lane !== "long") this.#spentMs[lane] += ms / WEIGHTS[lane];
  }

  /** Takes out everything. */
  drain(): readonly QueryJob[] {
    const jobs: QueryJob[] = [];
    for (const lane of Object.values(this.#lanes)) {
      for (let next = lane.shift(); next !== undefined; next = lane.shift()) jobs.push(next.item);
    }
    return jobs;
  }

  #laneOf(job: QueryJob): Expectation {
    return job.isLong ? "long" : this.#memory.expect(job.kind);
  }

  #quickLane(): Quick {
    const { short, unknown } = this.#lanes;
    if (short.size === 0) return "unknown";
    if (unknown.size === 0) return "short";
    return this.#spentMs.short <= this.#spentMs.unknown ? "short" : "unknown";
  }

  /** A sort that begins to wait has no claim to the time in which it did not. */
  #catchUp(lane: Quick): void {
    if (this.#lanes[lane].size > 0) return;
    this.#spentMs[lane] = Math.max(this.#spentMs.short, this.#spentMs.unknown);
  }
}
