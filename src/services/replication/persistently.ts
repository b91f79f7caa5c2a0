import { NodeError, ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";

/** Shortest and longest pause between two attempts. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Who waits for an answer at a start. */
export interface Patience {
  readonly timer: Timer;
  /** The start is called off. */
  readonly signal: AbortSignal;
  /** Hears after each attempt why there has to be another. */
  readonly onWaiting: (reason: string) => void;
}

/**
 * Asks a store until it answers, with pauses that double. What it refuses is not asked again: at a start
 * somebody is there to put it right.
 *
 * @throws {ObjectStoreError} when the store refuses
 * @throws {NodeError} NODE_STOPPED when the start is called off
 */
export async function persistently<T>(
  question: () => Promise<T>,
  { timer, signal, onWaiting }: Patience,
): Promise<T> {
  const over = Promise.withResolvers<never>();
  // Whoever asks sees it.
  over.promise.catch(() => undefined);
  const stop = (): void => over.reject(stopped());
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return await Promise.race([over.promise, question()]);
      } catch (error) {
        if (!(error instanceof ObjectStoreError) || !error.retryable) throw error;
        onWaiting(error.message);
      }
      await pause(timer, signal, pauseMs);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function stopped(): NodeError {
  return new NodeError("NODE_STOPPED", "stopped before the object store answered");
}
