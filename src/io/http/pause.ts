import type { Timer } from "#base/primitives/index.ts";

/** Waits for a delay, or until the signal is aborted; never rejects. */
export function pause(timer: Timer, signal: AbortSignal, delayMs: number): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      done();
    };
    const cancel = timer.after(delayMs, end);
    signal.addEventListener("abort", end);
  });
}
