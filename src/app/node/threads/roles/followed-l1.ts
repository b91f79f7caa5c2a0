/** L1, as the services of a role have it. */
export interface FollowedL1 {
  /** Why nobody should ask the node; `undefined`: there is no reason. */
  alarm(): string | undefined;
  /** Why L1 is not followed at present; `undefined` while it is. */
  finding(): string | undefined;
  /** The threads are about to stop: nothing is done any more. */
  hold(): void;
  /** The threads are there, with the chain as it is now: L1 is looked at anew. */
  release(): void;
  /** Nothing is done any more, for good. */
  stop(): void;
}

/** Of a node that does not follow L1. */
export const L1_NOT_FOLLOWED: FollowedL1 = {
  alarm: () => undefined,
  finding: () => undefined,
  hold: () => undefined,
  release: () => undefined,
  stop: () => undefined,
};
