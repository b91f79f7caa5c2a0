import type { TraceCacheLimits } from "./trace-cache.ts";

/** Memory limits of traces. */
export interface TraceLimits extends TraceCacheLimits {
  /** Maximum size of one trace, and of all traces of a simulation, approximate. */
  readonly maxTraceBytes: number;
  /** Size above which the traces of a block are produced one by one while the response is written. */
  readonly maxHeldBytes: number;
}

/**
 * Default memory limits of traces. A transaction has at most 10^9 gas, enough to write about 10
 * million felts of 32 bytes; a trace stores each one only once, however often calls pass it on.
 */
export const TRACE_LIMITS: TraceLimits = {
  maxTraceBytes: 1 << 30,
  maxHeldBytes: 64 << 20,
  maxCachedBytes: 32 << 20,
  maxCachedState: 2 ** 17,
};
