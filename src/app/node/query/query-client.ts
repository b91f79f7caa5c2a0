import type { HeldBytes, RpcObserver } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
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
}

/** Creates the pool of query threads, which is the same in every role. */
export function createQueryClient(deps: QueryClientDeps): WorkerQueryPool {
  const { threads, view, compiler, observer, timer, timeoutMs, held } = deps;
  return new WorkerQueryPool({
    threads,
    observer,
    view: view.feed,
    compile: (request) => compiler.service.compile(request),
    classHashAt: (address) => view.classHashAt(address),
    timer,
    deadlineMs: timeoutMs,
    held,
  });
}
