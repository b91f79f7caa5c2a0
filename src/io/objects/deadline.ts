import type { Timer } from "#base/primitives/index.ts";

/** Time limit of one attempt, independent of the transferred size. */
const ATTEMPT_MS = 10_000;

/** Minimum transfer rate in bytes per millisecond: 256 KiB per second. */
const LEAST_RATE = (256 << 10) / 1_000;

/** Deadline of one attempt of an object store request; bytes that arrive extend it. */
export interface Deadline {
  /** Aborted at the deadline, or with the caller's signal. */
  readonly signal: AbortSignal;
  /** Reports received bytes, which extend the deadline. */
  readonly onProgress: (sizeBytes: number) => void;
  isOver(): boolean;
  end(): void;
}

/**
 * Creates a deadline for an attempt: a fixed time, extended by the transferred bytes at a minimum rate. It
 * stops both a silent store and one that sends too slowly.
 *
 * @param sentBytes - size of the request body
 * @param outer - signal of the caller
 */
export function deadlineOf(timer: Timer, sentBytes: number, outer: AbortSignal): Deadline {
  const inner = new AbortController();
  const beganMs = timer.nowMs();
  let movedBytes = sentBytes;
  let isOver = false;
  const look = (): void => {
    const leftMs = beganMs + ATTEMPT_MS + movedBytes / LEAST_RATE - timer.nowMs();
    if (leftMs > 0) cancel = timer.after(leftMs, look);
    else {
      isOver = true;
      inner.abort();
    }
  };
  let cancel = (): void => undefined;
  look();
  // Not AbortSignal.any: a signal derived from a long-lived one stays referenced by it.
  const stop = (): void => inner.abort();
  outer.addEventListener("abort", stop);
  if (outer.aborted) stop();
  return {
    signal: inner.signal,
    onProgress(sizeBytes) {
      movedBytes += sizeBytes;
    },
    isOver: () => isOver,
    end() {
      outer.removeEventListener("abort", stop);
      cancel();
    },
  };
}
