import type { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { LeaderWatch } from "./leader-watch.ts";

/** Silence after which a sequencer that starts takes the leader for gone. */
export const START_SILENCE_MS = 3_000;

/** Who leads when a sequencer starts. */
export interface FoundLeader {
  /** The last record; `undefined`: nobody has led yet. */
  readonly leader: LeaderRecord | undefined;
  /** It gives signs of life. */
  readonly isAlive: boolean;
}

/** What finding works with. */
export interface FindLeaderDeps {
  readonly store: Pick<ObjectStore, "get">;
  /** The store has not answered. */
  readonly onUnseen: (failure: ObjectStoreError) => void;
  readonly timer: Timer;
  /** The start is called off. */
  readonly signal: AbortSignal;
}

/**
 * Looks whether somebody leads: until a sign of life is seen, or there was none for {@link START_SILENCE_MS}
 * in which the store has answered. A store that does not answer is asked on and on.
 *
 * @returns `undefined`: the start was called off
 */
export async function findLeader(deps: FindLeaderDeps): Promise<FoundLeader | undefined> {
  const { store, onUnseen, timer, signal } = deps;
  const found = Promise.withResolvers<FoundLeader | undefined>();
  const watch = new LeaderWatch({
    store,
    silenceMs: START_SILENCE_MS,
    onUnseen,
    timer,
    onSeen({ leader, silentMs, hasMoved }) {
      const isGone = leader === undefined || leader.hasStopped;
      if (isGone || silentMs >= START_SILENCE_MS) found.resolve({ leader, isAlive: false });
      else if (hasMoved) found.resolve({ leader, isAlive: true });
    },
  });
  const abort = (): void => found.resolve(undefined);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  watch.start();
  try {
    return await found.promise;
  } finally {
    watch.stop();
    signal.removeEventListener("abort", abort);
  }
}
