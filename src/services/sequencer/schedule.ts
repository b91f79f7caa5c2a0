/** Policy of closing blocks. Times are milliseconds. */
export interface BlockSchedule {
  /** Time from opening a block to closing it. */
  readonly blockTimeMs: number;
  /** Whether to close a block as soon as everything queued has been executed. */
  readonly onDemand: boolean;
  /** Whether to skip blocks without transactions. */
  readonly noEmptyBlocks: boolean;
}

/** Schedule that makes blocks only on request, or when a block is full. */
export const ON_REQUEST: BlockSchedule = {
  blockTimeMs: Infinity,
  onDemand: false,
  noEmptyBlocks: true,
};

/**
 * Whether blocks, even empty ones, follow each other at the block time: a block is then always open.
 * Otherwise a block is opened by its first transaction, and is never empty.
 */
export function isByClock({ onDemand, noEmptyBlocks }: BlockSchedule): boolean {
  return !onDemand && !noEmptyBlocks;
}

/** Inputs of {@link closesInMs}. */
export interface ScheduleInput {
  readonly openForMs: number;
  readonly transactionCount: number;
  readonly full: boolean;
  /** Whether no executable transaction is queued. */
  readonly idle: boolean;
  /** Number of received transactions that may become executable soon. */
  readonly coming: number;
  /** Number of sealed blocks that the committer has not finished. */
  readonly uncommittedBlocks: number;
  /** Time since the last transaction was executed. */
  readonly quietForMs: number;
  /** Time since the block before was closed. */
  readonly sinceCloseMs: number;
  /** Duration of the newest commit; 0 before the first. */
  readonly lastCommitMs: number;
}

/** Maximum number of sealed blocks that wait for the committer. */
export const MAX_UNCOMMITTED_BLOCKS = 8;

/**
 * Time without a new transaction after which an on-demand block is closed; longer than the pause
 * between batches.
 */
export const QUIET_MS = 25;

/** Minimum interval between two closings, in commit durations, while transactions are in flight. */
const COMMITS_PER_BLOCK = 2;

/** Minimum interval in commit durations while none is in flight: clients wait for this block alone. */
const COMMITS_PER_LONE_BLOCK = 1;

/** Upper limit of that interval. */
const MAX_GATHER_MS = 1000;

/**
 * Returns the milliseconds until the open block should be closed, unless an event comes first: 0 for now,
 * infinite for never.
 *
 * On demand, a single transaction gets its block immediately. While more are in flight, a block gathers them
 * for twice the duration of a commit, because every commit has a fixed cost; while the committer is busy, it
 * always gathers. When none is in flight, senders may be waiting for this block before they continue, so the
 * interval is one commit. Longer intervals cost such senders more than they save. The block time is the upper
 * limit.
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
