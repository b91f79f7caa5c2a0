/**
 * Progress of the chain that a thread has seen: the newest block announced as accepted (-1: none), and the
 * newest delta of a block above it.
 *
 * Each thread receives blocks and deltas through its own ports, so one may be ahead of another. Requests and
 * responses between threads carry the sender's position, and the receiver waits until it has caught up. A
 * client's reads therefore never go backwards, whichever thread answers.
 */
export interface ReadPosition {
  readonly accepted: number;
  readonly blockNumber: number;
  readonly sequence: number;
  /**
   * Number of times that all blocks above the accepted ones were lost; positions of an earlier generation no
   * longer count. Every thread is notified of each loss. The count restarts at 0 with the threads.
   */
  readonly generation: number;
}

/**
 * Returns the position of a thread that has seen all blocks up to the accepted block `accepted`, and nothing
 * of later ones.
 */
export function positionAt(accepted: number): ReadPosition {
  return { accepted, blockNumber: accepted, sequence: 0, generation: 0 };
}

/** Whether `now` has seen everything that `required` has. An accepted block includes all its deltas. */
export function hasReached(now: ReadPosition, required: ReadPosition): boolean {
  if (now.accepted < required.accepted || now.generation < required.generation) return false;
  if (now.generation > required.generation) return true;
  if (now.accepted >= required.blockNumber || now.blockNumber > required.blockNumber) return true;
  return now.blockNumber === required.blockNumber && now.sequence >= required.sequence;
}
