import { BootstrapError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";

/** What waiting needs. */
export interface Waiting {
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/** Between two looks, milliseconds: at first, and at most. */
const FIRST_LOOK_MS = 25;
const LONGEST_LOOK_MS = 1000;

/**
 * Looks until something has come about, more and more rarely.
 *
 * @param look - `undefined`: not yet
 * @param boundMs - how long it is waited for; one look is always made
 * @returns what `look` found; `undefined`: it has not come about
 * @throws {BootstrapError} BOOTSTRAP_STOPPED when it was told to stop
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
    if (signal.aborted) throw new BootstrapError("BOOTSTRAP_STOPPED", "it was told to stop");
  }
}
