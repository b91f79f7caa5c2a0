/** Following of L1, as used by the services of a role. */
export interface FollowedL1 {
  /** Reason why the node is not ready; `undefined` if none. */
  alarm(): string | undefined;
  /** Reason why L1 is not followed at present; `undefined` while it is. */
  finding(): string | undefined;
  /** Pauses, because the threads are about to stop. */
  hold(): void;
  /** Resumes after a restart of the threads: the chain may have changed, so all of L1 is compared again. */
  release(): void;
  /** Stops permanently. */
  stop(): void;
}

/** Placeholder of a node that does not follow L1. */
export const L1_NOT_FOLLOWED: FollowedL1 = {
  alarm: () => undefined,
  finding: () => undefined,
  hold: () => undefined,
  release: () => undefined,
  stop: () => undefined,
};
