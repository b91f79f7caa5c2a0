import type { HeldBytes } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { QueryJob } from "./query-job.ts";
import { QuerySlot, type QueryThread } from "./query-slot.ts";

/** All query threads of the pool. */
export class QuerySlots {
  readonly all: readonly QuerySlot[];

  /** @param held - counts the bytes that threads produce for clients */
  constructor(threads: readonly QueryThread[], timer: Timer, held: Pick<HeldBytes, "change">) {
    this.all = threads.map((thread) => new QuerySlot(thread, timer, held));
  }

  /** Threads without a job. */
  get idle(): readonly QuerySlot[] {
    return this.all.filter(({ isIdle }) => isIdle);
  }

  /** Whether another thread may run a long job: one thread is reserved for short ones. */
  get mayBeLong(): boolean {
    const long = this.all.filter(({ isLong }) => isLong).length;
    return long < Math.max(1, this.all.length - 1);
  }

  /** Cancels a job whose client has left. */
  abandon(job: QueryJob): void {
    for (const slot of this.all) slot.abandon(job);
  }

  /** Cancels all running jobs. */
  raiseFlags(): void {
    for (const slot of this.all) if (!slot.isIdle) slot.raiseFlag();
  }

  /** Cancels the deadlines of all running jobs. */
  stopClocks(): void {
    for (const slot of this.all) {
      slot.release();
      for (const job of slot.jobs) job.stopClock();
    }
  }
}
