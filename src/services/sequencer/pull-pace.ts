/**
 * Time after an empty batch during which the executor does not poll the mempool again, unless
 * admission wakes it.
 */
export const SLEEP_MS = 250;

/**
 * Pause after a batch that was not full, while more transactions are in flight or some were given back. Every
 * batch has fixed costs in all threads, and transactions that arrive meanwhile share the next one. The pause
 * ends when all have arrived. A single transaction does not wait.
 */
export const BATCH_PAUSE_MS = 10;

/**
 * When the executor requests the next batch. Admission wakes the executor when something arrives; occasional
 * polling is cheap and covers a lost wake-up.
 */
export interface PullPace {
  /** Whether the mempool has nothing more to execute: the last batch was smaller than requested. */
  readonly isIdle: boolean;
  /** No batch is requested before this time, unless admission wakes the executor. */
  readonly asleepUntilMs: number;
  /** No batch is requested before this time, unless everything in flight has arrived. */
  readonly pauseEndsMs: number;
  /** Number of transactions that admission holds and that are not executable yet. */
  readonly coming: number;
}

/** Initial pace: requests a batch immediately. */
export const FIRST_PACE: PullPace = {
  isIdle: true,
  asleepUntilMs: Number.NEGATIVE_INFINITY,
  pauseEndsMs: Number.NEGATIVE_INFINITY,
  coming: 0,
};

/**
 * Returns the pace after the executor received a batch from admission.
 *
 * @param count - transactions in the batch
 * @param coming - transactions that admission holds and that are not executable yet
 * @param batchSize - maximum number of transactions per batch
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
 * Returns the pace after the newest batch was executed.
 *
 * @param gaveBack - whether some transactions were given back and would return immediately
 */
export function afterExecution(pace: PullPace, gaveBack: boolean, nowMs: number): PullPace {
  const pauses = pace.isIdle && (pace.coming > 0 || gaveBack);
  return pauses ? { ...pace, pauseEndsMs: nowMs + BATCH_PAUSE_MS } : pace;
}

/** Returns the pace when transactions may be queued again: some arrived, or were given back. */
export function awakened(pace: PullPace): PullPace {
  return { ...pace, asleepUntilMs: Number.NEGATIVE_INFINITY };
}

/**
 * Returns the pace after admission woke the executor, because transactions can be executed.
 *
 * @param coming - further transactions that admission holds and that are not executable yet
 */
export function woken(pace: PullPace, coming: number): PullPace {
  const pauseEndsMs = coming === 0 ? Number.NEGATIVE_INFINITY : pace.pauseEndsMs;
  return { ...awakened(pace), coming, pauseEndsMs };
}
