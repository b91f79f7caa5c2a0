/** How long an empty mempool is not asked again. */
export const SLEEP_MS = 250;

/**
 * Pause after a batch that was not full: every batch has costs in all threads that do not depend on
 * its size, and what arrives meanwhile shares the next one. A transaction alone does not wait.
 */
export const BATCH_PAUSE_MS = 10;

/**
 * When the executor asks admission for the next batch. Admission wakes it when something arrives;
 * asking now and then costs little, should that get lost.
 */
export interface PullPace {
  /** Nothing executable waits: admission hands out all it has, up to what was asked for. */
  readonly isIdle: boolean;
  /** Nothing is asked for before, unless woken. */
  readonly asleepUntilMs: number;
  /** Nothing is asked for before, whatever arrives. */
  readonly pauseEndsMs: number;
}

/** In the beginning a batch is asked for at once. */
export const FIRST_PACE: PullPace = {
  isIdle: true,
  asleepUntilMs: Number.NEGATIVE_INFINITY,
  pauseEndsMs: Number.NEGATIVE_INFINITY,
};

/**
 * A batch of `count` transactions has come.
 *
 * @param batchSize - most transactions of a batch
 */
export function afterBatch(
  pace: PullPace,
  count: number,
  batchSize: number,
  nowMs: number,
): PullPace {
  const asleepUntilMs = count === 0 ? nowMs + SLEEP_MS : pace.asleepUntilMs;
  return { ...pace, isIdle: count < batchSize, asleepUntilMs };
}

/** The newest batch is executed. */
export function afterExecution(pace: PullPace, nowMs: number): PullPace {
  return pace.isIdle ? { ...pace, pauseEndsMs: nowMs + BATCH_PAUSE_MS } : pace;
}

/** Something may wait again: it arrived, or was given back. */
export function awakened(pace: PullPace): PullPace {
  return { ...pace, asleepUntilMs: Number.NEGATIVE_INFINITY };
}
