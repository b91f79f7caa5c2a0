/** When blocks are closed. Times are milliseconds. */
export interface BlockSchedule {
  /** Blocks are closed this long after they were opened. */
  readonly blockTimeMs: number;
  /** Close as soon as everything that waits has been executed. */
  readonly onDemand: boolean;
  /** Leave out blocks without transactions. */
  readonly noEmptyBlocks: boolean;
}

/** Blocks are made when somebody asks for one, or when one is full. */
export const ON_REQUEST: BlockSchedule = {
  blockTimeMs: Infinity,
  onDemand: false,
  noEmptyBlocks: true,
};

/**
 * Whether blocks follow each other at the block time, empty ones too: then one is open all the time.
 * Otherwise a block is opened by its first transaction, and none is ever empty.
 */
export function isByClock({ onDemand, noEmptyBlocks }: BlockSchedule): boolean {
  return !onDemand && !noEmptyBlocks;
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
  /** Since the last transaction was executed. */
  readonly quietForMs: number;
  /** Since the block before was closed. */
  readonly sinceCloseMs: number;
  /** How long the newest commit took; 0 before the first. */
  readonly lastCommitMs: number;
}

/** Most sealed blocks that may wait for the committer. */
export const MAX_UNCOMMITTED_BLOCKS = 8;

/** A block on demand is closed when no transaction came for this long: longer than batches pause. */
export const QUIET_MS = 25;

/** While transactions keep coming, the pause between two closings is this many commits long ... */
const COMMITS_PER_BLOCK = 4;

/** ... but never longer than this. */
const MAX_GATHER_MS = 1000;

/**
 * Whether the open block is to be closed now.
 *
 * On demand, a transaction alone gets its block at once. While more keep coming, a block gathers them
 * for a few times as long as a commit takes, since every commit has a cost that does not depend on
 * its size; and while the committer is busy anyway. The block time is the upper limit in any case.
 */
export function shouldClose(schedule: BlockSchedule, input: ScheduleInput): boolean {
  if (input.uncommittedBlocks >= MAX_UNCOMMITTED_BLOCKS) return false;
  if (input.full) return true;
  const empty = input.transactionCount === 0;
  if (schedule.onDemand && !empty && input.idle && input.uncommittedBlocks === 0) {
    const gatherMs = Math.min(COMMITS_PER_BLOCK * input.lastCommitMs, MAX_GATHER_MS);
    if (input.quietForMs >= QUIET_MS || input.sinceCloseMs >= gatherMs) return true;
  }
  if (input.openForMs < schedule.blockTimeMs) return false;
  return !empty || isByClock(schedule);
}
