import type { Timer } from "#base/primitives/index.ts";

/** Background work of a thread that runs in idle turns. */
export interface IdleWork {
  /** Skips the remaining work. */
  stop(): void;
}

/** Combines several works. Stops each one only once, because callers may call `stop` for every message. */
export function together(...works: IdleWork[]): IdleWork {
  return {
    stop() {
      for (const work of works.splice(0)) work.stop();
    },
  };
}

/**
 * Runs a piece of work in each turn of the thread's event loop, so that messages wait for at most one piece.
 *
 * @param count - number of pieces
 * @param delayMs - delay before the first one
 * @param piece - not called again after it has returned false
 */
export function inIdleTurns(
  count: number,
  delayMs: number,
  timer: Timer,
  piece: () => boolean,
): IdleWork {
  let left = count;
  const turn = (): void => {
    if (left-- <= 0) return;
    if (piece()) setImmediate(turn);
    else left = 0;
  };
  const cancel = timer.after(delayMs, turn);
  return {
    stop() {
      cancel();
      left = 0;
    },
  };
}

/**
 * As {@link inIdleTurns}, for work that needs a preparation. The preparation takes a separate turn, so that
 * messages wait for either it or one piece. With a count of 0 it is skipped.
 *
 * @param make - prepares, and returns the piece for {@link inIdleTurns}
 */
export function madeInIdleTurns(
  count: number,
  delayMs: number,
  timer: Timer,
  make: () => () => boolean,
): IdleWork {
  let piece: (() => boolean) | undefined;
  return inIdleTurns(count === 0 ? 0 : count + 1, delayMs, timer, () => {
    if (piece !== undefined) return piece();
    piece = make();
    return true;
  });
}
