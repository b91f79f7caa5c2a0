import type { GrowthSources, Messages, PlannedKind } from "./protocol.ts";

/** Pair of thread kinds in which the first posts to the second; {@link Messages} defines the messages. */
export type PlannedEdge = {
  [From in PlannedKind]: readonly [From, Exclude<keyof Messages[From], "main">];
}[PlannedKind];

/** Threads of a role: their kinds, their connections, and the order of start and stop. */
export interface ThreadPlan {
  /** Stages of the start, each after the threads of the previous ones have started; each kind once. */
  readonly start: readonly (readonly PlannedKind[])[];
  /** Stages of the stop; each begins when all threads of the previous ones have stopped. */
  readonly stop: readonly (readonly PlannedKind[])[];
  /** Connections besides the main thread's, which reach all threads. `query` means each query thread. */
  readonly edges: readonly PlannedEdge[];
  /** Threads that report the chain's growth to the main thread and the query threads. */
  readonly growth: GrowthSources;
}
