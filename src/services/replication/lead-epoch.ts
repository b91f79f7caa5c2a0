import { NodeError } from "#base/errors/index.ts";
import { type LeaderRecord, MAX_EPOCH } from "./leader-record.ts";

/** Epoch in which a sequencer starts to lead. */
export interface LeadEpoch {
  readonly epoch: number;
  /**
   * Whether the epoch is new. Its first block is then made immediately, even if empty: that block's object
   * keeps every sequencer of an earlier epoch from continuing.
   */
  readonly isNew: boolean;
  /**
   * {@link LeaderRecord.run} of the process that led in this epoch before and is gone; `null` if none did.
   */
  readonly predecessor: string | null;
}

/**
 * Chooses the epoch for blocks made after a start: the one in which this sequencer led before, or the next.
 *
 * @param leader - stored record; `undefined` if the store has none
 * @param newestEpoch - epoch of the newest block in the store and the chain
 * @param instance - identifies the starting sequencer
 * @throws {NodeError} as {@link nextEpoch}
 */
export function epochToLead(
  leader: LeaderRecord | undefined,
  newestEpoch: number,
  instance: string,
): LeadEpoch {
  const isOwn = leader?.instance === instance && leader.epoch >= newestEpoch;
  return isOwn
    ? { epoch: leader.epoch, isNew: false, predecessor: leader.run }
    : { epoch: nextEpoch(leader, newestEpoch), isNew: true, predecessor: null };
}

/**
 * Returns the epoch of a sequencer that takes over. Takes the parameters of {@link epochToLead}.
 *
 * @throws {NodeError} when the epoch would exceed {@link MAX_EPOCH}, which regular takeovers never reach
 */
export function nextEpoch(leader: LeaderRecord | undefined, newestEpoch: number): number {
  const epoch = Math.max(leader?.epoch ?? 0, newestEpoch) + 1;
  if (epoch <= MAX_EPOCH) return epoch;
  throw new NodeError(
    "NODE_EPOCH_TOO_LARGE",
    `the newest block has epoch ${newestEpoch}: it was not written by a sequencer`,
  );
}
