/** How long an empty mempool is not asked again. */
export const SLEEP_MS = 250;

/**
 * Pause after a batch that was not full, while more transactions are on their way, or some went back: every
 * batch has costs in all threads that do not depend on its size, and what comes meanwhile shares the next
 * one. It ends when all have come. A transaction alone does not wait.
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
  /** Nothing is asked for before, unless all that was on its way has come. */
  readonly pauseEndsMs: number;
  /** Transactions that admission has and that may not be executed yet. */
  readonly coming: number;
}

/** In the beginning a batch is asked for at once. */
export const FIRST_PACE: PullPace = {
  isIdle: true,
  asleepUntilMs: Number.NEGATIVE_INFINITY,
  pauseEndsMs: Number.NEGATIVE_INFINITY,
  coming: 0,
};

/**
 * A batch of `count` transactions has come, and `coming` may follow soon.
 *
 * @param batchSize - most transactions of a batch
 */
export function afterBatch(
  pace: PullPace,
  { count, coming }: { readonly count: number; readonly coming: number },
  batchSize: number,
  nowMs: number,
): PullPace {
  const asleepUntilMs = count === 0 ? nowMs + SLEEP_MS : pace.asleepUntilMs;
  return { ...pace, isIdle: count < batchSize, asleepUntilMs, coming };
}

/**
 * The newest batch is executed.
 *
 * @param gaveBack - some of it went back, and would come again at once
 */
export function afterExecution(pace: PullPace, gaveBack: boolean, nowMs: number): PullPace {
  const pauses = pace.isIdle && (pace.coming > 0 || gaveBack);
  return pauses ? { ...pace, pauseEndsMs: nowMs + BATCH_PAUSE_MS } : pace;
}

/** Something may wait again: it arrived, or was given back. */
export function awakened(pace: PullPace): PullPace {
  return { ...pace, asleepUntilMs: Number.NEGATIVE_INFINITY };
}

/** Admission says that something waits again, and that `coming` may follow soon. */
export function woken(pace: PullPace, coming: number): PullPace {
  const pauseEndsMs = coming === 0 ? Number.NEGATIVE_INFINITY : pace.pauseEndsMs;
  return { ...awakened(pace), coming, pauseEndsMs };
}
