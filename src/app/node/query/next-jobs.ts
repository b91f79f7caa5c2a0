import type { QueryQueue } from "./query-queue.ts";
import type { Running } from "./query-slot.ts";
import type { WorkMemory } from "./work-memory.ts";

/** Expected work of short queries that go to a thread together, in milliseconds; saves wake-ups. */
const TOGETHER_MS = 1;

/** Maximum number of such queries. */
const MAX_TOGETHER = 16;

/**
 * Takes the next work for an idle thread: one job, or several short queries. Each client is charged the
 * expected time.
 *
 * @param mayBeLong - whether the thread may run a long job
 * @param share - maximum short queries, so that other idle threads get some
 */
export function nextJobs(
  queue: QueryQueue,
  memory: Pick<WorkMemory, "expectedMs">,
  mayBeLong: boolean,
  share: number,
): Running[] {
  const jobs: Running[] = [];
  const most = Math.min(share, MAX_TOGETHER);
  let leftMs = TOGETHER_MS;
  let next = queue.next(mayBeLong);
  while (next !== undefined) {
    const countedMs = memory.expectedMs(next.job.kind);
    queue.charge(next, countedMs);
    jobs.push({ ...next, countedMs });
    leftMs -= countedMs;
    const isLast = next.lane !== "short" || next.job.work.kind !== "query" || jobs.length >= most;
    next = isLast ? undefined : queue.nextShort(leftMs);
  }
  return jobs;
}
