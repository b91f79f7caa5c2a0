/** More would wait for each other: a round of hashes has few slices. */
const MAX_HASH_THREADS = 3;

/** Threads that help the committer to hash: none on two cores, where it would take them from others. */
export function hashThreadCount(cores: number): number {
  return Math.min(MAX_HASH_THREADS, Math.max(0, cores - 2));
}
