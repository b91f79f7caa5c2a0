import type { GrowthSources, Messages, PlannedKind } from "./protocol.ts";

/** Two kinds of threads, the first of which posts to the second: what, says {@link Messages}. */
export type PlannedEdge = {
  [From in PlannedKind]: readonly [From, Exclude<keyof Messages[From], "main">];
}[PlannedKind];

/** The threads of a role: which there are, who talks to whom, and when each starts and stops. */
export interface ThreadPlan {
  /**
   * In stages, each of which begins when all threads of the stages before have started. Every kind
   * stands here once.
   */
  readonly start: readonly (readonly PlannedKind[])[];
  /** In stages, each of which begins when all threads of the stages before have stopped. */
  readonly stop: readonly (readonly PlannedKind[])[];
  /**
   * Connections beside those of the main thread, which talks to every thread; one with `query` is one
   * with each of the query threads.
   */
  readonly edges: readonly PlannedEdge[];
  /** Who tells the main thread and the query threads of the chain's growth. */
  readonly growth: GrowthSources;
}
