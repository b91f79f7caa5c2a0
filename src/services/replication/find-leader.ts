import type { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { LeaderWatch } from "./leader-watch.ts";

/** Time without a heartbeat after which a starting sequencer considers the leader gone. */
export const START_SILENCE_MS = 3_000;

/** Leader found when a sequencer starts. */
export interface FoundLeader {
  /** Latest record; `undefined` if nobody has led yet. */
  readonly leader: LeaderRecord | undefined;
  /** Whether the leader sends heartbeats. */
  readonly isAlive: boolean;
}

/** Dependencies of {@link findLeader}. */
export interface FindLeaderDeps {
  readonly store: Pick<ObjectStore, "get">;
  readonly onUnseen: (failure: ObjectStoreError) => void;
  readonly timer: Timer;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Determines whether a leader is alive: waits for a heartbeat, or for {@link START_SILENCE_MS} of silence
 * during which the store answered. Polls without a limit while the store does not answer.
 *
 * @returns `undefined` if the start was cancelled
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
