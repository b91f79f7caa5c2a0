import { NodeError, ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";

/** Pause after the first failed attempt of a store request. */
const FIRST_PAUSE_MS = 50;
/** Maximum pause between two attempts of a store request; the pause doubles up to it. */
const LONGEST_PAUSE_MS = 2_000;

/** Options of {@link persistently}: how a start waits for the store. */
export interface Patience {
  readonly timer: Timer;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
  /** Called with the reason after each attempt that will be retried. */
  readonly onWaiting: (reason: string) => void;
}

/**
 * Retries a store request until it is answered, with pauses that double. A refused request is not retried: an
 * operator is present at startup and can fix the cause.
 *
 * @throws {ObjectStoreError} when the store refuses the request
 * @throws {NodeError} NODE_STOPPED when the start is cancelled
 */
export async function persistently<T>(
  question: () => Promise<T>,
  { timer, signal, onWaiting }: Patience,
): Promise<T> {
  const over = Promise.withResolvers<never>();
  // The next race below throws the rejection; this handler keeps it from being unhandled until then.
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
