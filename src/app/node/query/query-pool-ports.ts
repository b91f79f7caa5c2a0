import type { HeldBytes, RpcObserver } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { CompileOutcome, CompileRequest, PositionView } from "#services/admission/index.ts";
import type { ForkedJobs } from "./forked-jobs.ts";
import type { QueryThread } from "./query-slot.ts";
import type { ClassHashAt } from "./work-kinds.ts";

/** Dependencies of {@link WorkerQueryPool}. */
export interface QueryPoolPorts {
  readonly threads: readonly QueryThread[];
  /** Reports internal errors, which clients see without details. */
  readonly observer: Pick<RpcObserver, "internalError">;
  /** Chain position of the main thread, and so of every client. */
  readonly view: PositionView;
  /** Compiles a class that a method needs; never rejects. */
  readonly compile: (request: CompileRequest) => Promise<CompileOutcome>;
  /** Current classes of contracts: calls of the same function of a class count as one kind of work. */
  readonly classHashAt: ClassHashAt;
  /** Continues jobs that lack values of a fork's origin; `null` if there is no fork. */
  readonly forked: ForkedJobs | null;
  readonly timer: Timer;
  /**
   * Maximum wait of a query before it is refused, and maximum runtime before it is cancelled; milliseconds.
   */
  readonly deadlineMs: number;
  /** Bytes held for clients; queries of clients without room for responses wait. */
  readonly held: Pick<HeldBytes, "change" | "hasRoom" | "onFreed">;
}
