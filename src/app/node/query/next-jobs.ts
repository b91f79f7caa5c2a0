import type { QueryQueue } from "./query-queue.ts";
import type { Running } from "./query-slot.ts";
import type { WorkMemory } from "./work-memory.ts";

/** Short queries go to a thread together, so that it is woken once for all: for so many milliseconds of work, */
const TOGETHER_MS = 1;

/** and no more than that. */
const MOST_TOGETHER = 16;

/**
 * Takes out what is next for an idle thread: a job, or several short queries. They are counted as if they
 * took what is expected.
 *
 * @param mayBeLong - the thread may do something long
 * @param share - no more short queries than that, for there are other idle threads
 */
export function nextJobs(
  queue: QueryQueue,
  memory: Pick<WorkMemory, "expectedMs">,
  mayBeLong: boolean,
  share: number,
): Running[] {
  const jobs: Running[] = [];
  const most = Math.min(share, MOST_TOGETHER);
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
