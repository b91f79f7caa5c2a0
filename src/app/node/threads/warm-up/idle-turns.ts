import type { Timer } from "#base/primitives/index.ts";

/** Work that goes on beside that of a thread. */
export interface IdleWork {
  /** Leaves out what is left of it. */
  stop(): void;
}

/** Several works as one. Each is told once to stop: whoever has it stopped may do so with every message. */
export function together(...works: IdleWork[]): IdleWork {
  return {
    stop() {
      for (const work of works.splice(0)) work.stop();
    },
  };
}

/**
 * Does a piece of work in each turn of the thread's event loop, so that messages wait for one piece at
 * the most.
 *
 * @param count - how many pieces there are
 * @param delayMs - when the first one may begin
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
 * As {@link inIdleTurns} for work that needs something first: making that takes a turn of its own, so that
 * messages wait for it or for one piece. Without pieces nothing is made.
 *
 * @param make - returns the piece, as that of {@link inIdleTurns}
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
