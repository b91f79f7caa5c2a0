import type { HeldBytes, RpcObserver } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { Fork } from "../fork/part.ts";
import { ForkedJobs, type ForkedJobsDeps } from "./forked-jobs.ts";
import { LANE_INDEX } from "./query-origin.ts";
import { WorkerQueryPool } from "./query-pool.ts";
import type { QueryThread } from "./query-slot.ts";

/** Dependencies of {@link createQueryClient}. */
export interface QueryClientDeps {
  readonly threads: readonly QueryThread[];
  readonly view: ChainView;
  readonly compiler: { readonly service: ClassCompiler };
  readonly observer: RpcObserver;
  readonly timer: Timer;
  /** Time limit of a running query, and of the wait in the queue, in milliseconds. */
  readonly timeoutMs: number;
  readonly held: HeldBytes;
  readonly fork: Fork;
}

/** Creates the pool of query threads, which is the same in every role. */
export function createQueryClient(deps: QueryClientDeps): WorkerQueryPool {
  const { threads, fork } = deps;
  if (fork.origin === null) return poolOf(deps, threads, null);
  const fetch: ForkedJobsDeps["fetch"] = (queries, client) =>
    fork.fetch(queries, client, fork.callEndsAtMs());
  const waiting = threads.filter((_, index) => index === LANE_INDEX);
  const others = threads.filter((_, index) => index !== LANE_INDEX);
  const lane = poolOf(deps, waiting, new ForkedJobs({ fetch, lane: null }));
  return poolOf(deps, others, new ForkedJobs({ fetch, lane }));
}

function poolOf(
  { view, compiler, observer, timer, timeoutMs, held }: QueryClientDeps,
  threads: readonly QueryThread[],
  forked: ForkedJobs | null,
): WorkerQueryPool {
  return new WorkerQueryPool({
    threads,
    forked,
    observer,
    view: view.feed,
    compile: (request) => compiler.service.compile(request),
    classHashAt: (address) => view.classHashAt(address),
    timer,
    deadlineMs: timeoutMs,
    held,
  });
}
