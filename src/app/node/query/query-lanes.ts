import { type Client, FairQueue, type Waiting } from "#api/rpc/index.ts";
import type { QueryJob } from "./query-job.ts";
import type { Expectation, WorkMemory } from "./work-memory.ts";

/** Shares of processor time of the lanes while both have waiting jobs. */
const WEIGHTS = { short: 4, unknown: 1 } as const;

type Quick = keyof typeof WEIGHTS;

/** A job to run now. */
export interface NextJob {
  readonly job: QueryJob;
  /** Lane whose account is charged; in `long`, the job may run long from the start. */
  readonly lane: Expectation;
}

/** Waiting jobs in lanes by expected duration; within a lane, clients take turns by processor time. */
export class QueryLanes {
  readonly #memory: WorkMemory;
  readonly #hasRoom: (client: Client) => boolean;
  readonly #lanes: Readonly<Record<Expectation, FairQueue<QueryJob>>>;
  /** Processor time of each lane, divided by its weight. */
  readonly #spentMs: Record<Quick, number> = { short: 0, unknown: 0 };

  /** @param hasRoom - whether a client's jobs may start; otherwise they wait */
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

  /** Number of waiting jobs. */
  get size(): number {
    const { short, unknown, long } = this.#lanes;
    return short.size + unknown.size + long.size;
  }

  /** Queues a job behind those of the same client. */
  push(job: QueryJob): void {
    const lane = this.#laneOf(job);
    if (lane !== "long") this.#catchUp(lane);
    this.#lanes[lane].push(job.client, job);
  }

  /**
   * Takes the next job for a thread. Prefers a long one if `mayBeLong`; otherwise skips jobs that turned out
   * to be long by now.
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

  /** Takes the next quick job; from the other lane if no client in the one whose turn it is has room. */
  #nextQuick(): (Waiting<QueryJob> & { readonly lane: Quick }) | undefined {
    const first = this.#quickLane();
    for (const lane of [first, first === "short" ? "unknown" : "short"] as const) {
      const next = this.#lanes[lane].shift(this.#hasRoom);
      if (next === undefined) continue;
      // No client in the skipped lane had room; the skipped time gives it no credit.
      if (lane !== first) {
        this.#spentMs[first] = Math.max(this.#spentMs[first], this.#spentMs[lane]);
      }
      return { ...next, lane };
    }
    return undefined;
  }

  /**
   * Takes another job for a thread with short queries: the next one, if it is a short query with at most
   * `mostMs` of expected time.
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

  /** Removes a job. @returns whether it was waiting */
  remove(job: QueryJob): boolean {
    return Object.values(this.#lanes).some((lane) => lane.remove(job.client, job));
  }

  /** Charges processor time of a job; negative if less was used than charged before. */
  charge({ job, lane }: NextJob, ms: number): void {
    this.#lanes[lane].charge(job.client, ms);
    if (lane !== "long") this.#spentMs[lane] += ms / WEIGHTS[lane];
  }

  /** Removes and returns all jobs. */
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

  /** A lane that was empty gets no credit for that time. */
  #catchUp(lane: Quick): void {
    if (this.#lanes[lane].size > 0) return;
    this.#spentMs[lane] = Math.max(this.#spentMs.short, this.#spentMs.unknown);
  }
}
