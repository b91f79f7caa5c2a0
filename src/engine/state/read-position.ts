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
}

/** The position of a thread that has seen the accepted blocks and no delta yet. */
export function positionAt(accepted: number): ReadPosition {
  return { accepted, blockNumber: accepted, sequence: 0 };
}

/** Whether `now` has seen everything that `wanted` has. A delta of an accepted block is in the block. */
export function hasReached(now: ReadPosition, wanted: ReadPosition): boolean {
  if (now.accepted < wanted.accepted) return false;
  if (now.accepted >= wanted.blockNumber || now.blockNumber > wanted.blockNumber) return true;
  return now.blockNumber === wanted.blockNumber && now.sequence >= wanted.sequence;
}
