import type { HeldBytes } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { QueryJob } from "./query-job.ts";
import { QuerySlot, type QueryThread } from "./query-slot.ts";

/** All query threads as the pool sees them. */
export class QuerySlots {
  readonly all: readonly QuerySlot[];

  /** @param held - counts what threads make for clients */
  constructor(threads: readonly QueryThread[], timer: Timer, held: Pick<HeldBytes, "change">) {
    this.all = threads.map((thread) => new QuerySlot(thread, timer, held));
  }

  /** Those that have nothing in hand. */
  get idle(): readonly QuerySlot[] {
    return this.all.filter(({ isIdle }) => isIdle);
  }

  /** Whether one more thread may do something long: one is left to what is short. */
  get mayBeLong(): boolean {
    const long = this.all.filter(({ isLong }) => isLong).length;
    return long < Math.max(1, this.all.length - 1);
  }

  /** Nobody waits for a job any more. */
  abandon(job: QueryJob): void {
    for (const slot of this.all) slot.abandon(job);
  }

  /** Ends what runs. */
  raiseFlags(): void {
    for (const slot of this.all) if (!slot.isIdle) slot.raiseFlag();
  }

  /** Takes back all alarms of what runs. */
  stopClocks(): void {
    for (const slot of this.all) {
      slot.release();
      for (const job of slot.jobs) job.stopClock();
    }
  }
}
