import type { TraceCacheLimits } from "./trace-cache.ts";

/** How much memory traces may take. */
export interface TraceLimits extends TraceCacheLimits {
  /** Most bytes of the traces of one answer, about. */
  readonly maxAnswerBytes: number;
}

/** As JSON text, of which an answer has 64 MiB at most, traces take about as much or more. */
export const TRACE_LIMITS: TraceLimits = {
  maxAnswerBytes: 64 << 20,
  maxCachedBytes: 32 << 20,
  maxCachedState: 2 ** 17,
};
