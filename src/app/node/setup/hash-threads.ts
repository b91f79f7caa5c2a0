/** More threads would wait for each other: a round of hashes has few slices. */
const MAX_HASH_THREADS = 3;

/** Number of threads that help the committer; 0 on two cores, where they would compete with others. */
export function hashThreadCount(cores: number): number {
  return Math.min(MAX_HASH_THREADS, Math.max(0, cores - 2));
}
