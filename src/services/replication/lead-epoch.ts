import { NodeError } from "#base/errors/index.ts";
import { type LeaderRecord, MAX_EPOCH } from "./leader-record.ts";

/** How a sequencer begins to lead. */
export interface LeadEpoch {
  readonly epoch: number;
  /**
   * The epoch is a new one: its first block is made at once, an empty one too. That block's object is what
   * keeps every sequencer of an earlier epoch from going on.
   */
  readonly isNew: boolean;
  /** {@link LeaderRecord.run} of the process that led in this epoch before and is gone; `null`: none did. */
  readonly predecessor: string | null;
}

/**
 * The epoch of the blocks that a sequencer makes from its start on: the one in which it led, or the next.
 *
 * @param leader - what the store says; `undefined`: nothing
 * @param newestEpoch - of the newest block that the store and the chain have
 * @param instance - of the sequencer that starts
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
 * The epoch of a sequencer that takes over. Parameters as those of {@link epochToLead}.
 *
 * @throws {NodeError} when there is no later one: nobody comes so far in order
 */
export function nextEpoch(leader: LeaderRecord | undefined, newestEpoch: number): number {
  const epoch = Math.max(leader?.epoch ?? 0, newestEpoch) + 1;
  if (epoch <= MAX_EPOCH) return epoch;
  throw new NodeError(
    "NODE_EPOCH_TOO_LARGE",
    `the newest block has epoch ${newestEpoch}: somebody else than a sequencer has written it`,
  );
}
