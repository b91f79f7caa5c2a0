/** Maximum number of query threads; each has a Cairo machine. */
export const MAX_QUERY_THREADS = 256;

/**
 * Returns the default number of query threads of a computer with `cores` processors: all but one, and at least
 * two, so that long queries leave one to short ones.
 */
export function defaultQueryThreads(cores: number): number {
  return Math.min(MAX_QUERY_THREADS, Math.max(2, cores - 1));
}
