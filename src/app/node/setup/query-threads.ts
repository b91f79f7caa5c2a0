import { availableParallelism } from "node:os";

/**
 * Number of query threads: all cores but one, and at least two, so that long queries leave one to short ones.
 */
export function queryThreadCount(cores = availableParallelism()): number {
  return Math.max(2, cores - 1);
}
