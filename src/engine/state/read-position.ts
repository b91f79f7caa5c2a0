/**
 * How much of the chain a thread has seen: the newest block announced as accepted (-1: none), and the
 * newest delta of a block above.
 *
 * Threads learn of blocks and deltas on ports of their own, so one may be ahead of another. Whoever
 * asks another thread, and whoever answers, sends its position along; the other side goes on when it
 * has seen as much. So what one client reads never goes backwards, whichever thread answers.
 */
export interface ReadPosition {
  readonly accepted: number;
  readonly blockNumber: number;
  readonly sequence: number;
  /**
   * How often what stood above the accepted blocks was lost: what was seen of it before counts no more.
   * Every thread is told of each loss, and counts from 0 when the threads start.
   */
  readonly generation: number;
}

/** The position of a thread that has seen the accepted blocks and no delta yet. */
export function positionAt(accepted: number): ReadPosition {
  return { accepted, blockNumber: accepted, sequence: 0, generation: 0 };
}

/** Whether `now` has seen everything that `wanted` has. A delta of an accepted block is in the block. */
export function hasReached(now: ReadPosition, wanted: ReadPosition): boolean {
  if (now.accepted < wanted.accepted || now.generation < wanted.generation) return false;
  if (now.generation > wanted.generation) return true;
  if (now.accepted >= wanted.blockNumber || now.blockNumber > wanted.blockNumber) return true;
  return now.blockNumber === wanted.blockNumber && now.sequence >= wanted.sequence;
}
