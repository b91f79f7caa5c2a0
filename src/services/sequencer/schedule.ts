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
  /** Transactions that were received and may be executable soon. */
  readonly coming: number;
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

/** While transactions are on their way, the pause between two closings is this many commits long, */
const COMMITS_PER_BLOCK = 2;

/** and this many while none is: whoever waits for an answer waits for the block alone then. */
const COMMITS_PER_LONE_BLOCK = 1;

/** No pause is longer. */
const MAX_GATHER_MS = 1000;

/**
 * In how many milliseconds the open block is to be closed, unless something happens before: 0 is now,
 * infinite is never.
 *
 * On demand, a transaction alone gets its block at once. While more are on their way, a block gathers them
 * for twice as long as a commit takes, since every commit has a cost that does not depend on its size;
 * while the committer is busy in any case. When none is on its way, those who sent what is in the block
 * may wait for it before they go on: the pause is as long as a commit then. Longer ones cost senders who
 * wait for acceptance more than they save. The block time is the upper limit.
 */
export function closesInMs(schedule: BlockSchedule, input: ScheduleInput): number {
  if (input.uncommittedBlocks >= MAX_UNCOMMITTED_BLOCKS) return Infinity;
  if (input.full) return 0;
  const isEmpty = input.transactionCount === 0;
  const timeMs =
    isEmpty && !isByClock(schedule) ? Infinity : schedule.blockTimeMs - input.openForMs;
  const gathers = schedule.onDemand && !isEmpty && input.idle && input.uncommittedBlocks === 0;
  const gatheredMs = gathers ? gatheredInMs(input) : Infinity;
  return Math.max(0, Math.min(timeMs, gatheredMs));
}

function gatheredInMs({ coming, lastCommitMs, quietForMs, sinceCloseMs }: ScheduleInput): number {
  const commits = coming > 0 ? COMMITS_PER_BLOCK : COMMITS_PER_LONE_BLOCK;
  const gatherMs = Math.min(commits * lastCommitMs, MAX_GATHER_MS);
  return Math.min(QUIET_MS - quietForMs, gatherMs - sinceCloseMs);
}
