import { BootstrapError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";

/** Timer and abort signal for waiting. */
export interface Waiting {
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/** First and maximum poll interval, milliseconds. */
const FIRST_LOOK_MS = 25;
const LONGEST_LOOK_MS = 1000;

/**
 * Polls until a condition is met, at growing intervals.
 *
 * @param look - returns `undefined` while the condition is not met
 * @param boundMs - maximum wait; polls at least once
 * @returns the result of `look`; `undefined` on timeout
 * @throws {BootstrapError} BOOTSTRAP_STOPPED when the signal is aborted
 */
export async function waitFor<T>(
  { timer, signal }: Waiting,
  boundMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const untilMs = performance.now() + boundMs;
  for (let delayMs = FIRST_LOOK_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_LOOK_MS)) {
    const found = await look();
    if (found !== undefined) return found;
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return undefined;
    await pause(timer, signal, Math.min(delayMs, leftMs));
    if (signal.aborted) throw new BootstrapError("BOOTSTRAP_STOPPED", "stopped on request");
  }
}
