/** When blocks are closed. Times are milliseconds. */
export interface BlockSchedule {
  /** Blocks are closed this long after they were opened. */
  readonly blockTimeMs: number;
  /** Close as soon as everything that waits has been executed. */
  readonly onDemand: boolean;
  /** Leave out blocks without transactions. */
  readonly noEmptyBlocks: boolean;
}

/** What the decision depends on. */
export interface ScheduleInput {
  readonly openForMs: number;
  readonly transactionCount: number;
  /** A transaction did not fit any more. */
  readonly full: boolean;
  /** Nothing executable waits. */
  readonly idle: boolean;
  /** Sealed blocks that the committer has not finished. */
  readonly uncommittedBlocks: number;
}

/** Most sealed blocks that may wait for the committer. */
export const MAX_UNCOMMITTED_BLOCKS = 8;

/**
 * Whether the open block is to be closed now.
 *
 * On demand, a block stays open while the committer is busy, so that a burst shares blocks and the
 * cost of a commit is spread; the block time is the upper limit in any case.
 */
export function shouldClose(schedule: BlockSchedule, input: ScheduleInput): boolean {
  if (input.uncommittedBlocks >= MAX_UNCOMMITTED_BLOCKS) return false;
  if (input.full) return true;
  const empty = input.transactionCount === 0;
  if (schedule.onDemand && !empty && input.idle) return input.uncommittedBlocks === 0;
  if (input.openForMs < schedule.blockTimeMs) return false;
  return !(empty && schedule.noEmptyBlocks);
}
