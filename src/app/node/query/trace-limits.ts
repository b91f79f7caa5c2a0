import type { TraceCacheLimits } from "./trace-cache.ts";

/** How much memory traces may take. */
export interface TraceLimits extends TraceCacheLimits {
  /** Most bytes of one trace, and of all traces of a simulation, about. */
  readonly maxTraceBytes: number;
  /** With more than this the traces of a block are made one after the other, while they are written. */
  readonly maxHeldBytes: number;
}

/**
 * The gas of a transaction, 10^9 at most, is enough to write some 10 million felts of 32 bytes: a trace
 * keeps each once, however often calls hand it to each other.
 */
export const TRACE_LIMITS: TraceLimits = {
  maxTraceBytes: 1 << 30,
  maxHeldBytes: 64 << 20,
  maxCachedBytes: 32 << 20,
  maxCachedState: 2 ** 17,
};
