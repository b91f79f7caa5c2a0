import type { Timer } from "#base/primitives/index.ts";

/** How long one attempt may take whatever it moves. */
const ATTEMPT_MS = 10_000;

/** Least bytes that a millisecond moves behind that: 256 KiB a second. */
const LEAST_RATE = (256 << 10) / 1_000;

/** The end of one attempt's time. */
export interface Deadline {
  /** Aborted when the time is over, or with the signal of whoever asks. */
  readonly signal: AbortSignal;
  /** Told of bytes that have come: they give time. */
  readonly onProgress: (sizeBytes: number) => void;
  /** Whether the time was over. */
  isOver(): boolean;
  /** Takes alarms back. */
  end(): void;
}

/**
 * Bounds an attempt in time: a fixed one, and more for what is moved, at a least rate. Neither a store that
 * says nothing nor one that drips holds whoever waits.
 *
 * @param sentBytes - size of what is sent
 * @param outer - of whoever asks
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
  // Not AbortSignal.any: what it makes of a signal that lives as long as the node is kept by that one.
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
