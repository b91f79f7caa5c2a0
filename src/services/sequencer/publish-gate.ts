import type { Felt } from "#base/primitives/index.ts";

/** The block before one that is about to be published, as this sequencer has it. */
export interface Predecessor {
  readonly blockNumber: number;
  readonly hash: Felt;
  /** `null`: it is of an earlier epoch than this sequencer's, and another one made it. */
  readonly epoch: number | null;
}

/** A block that is committed, about which a gate is asked. */
export interface GateQuestion {
  readonly blockNumber: number;
  /** `null` for a chain's first block. */
  readonly predecessor: Predecessor | null;
  /** Makes the block's canonical bytes; only gates that use them pay for them. */
  readonly bundle: () => Uint8Array;
  /** Hears why there is no answer yet, as often as there is something to tell. */
  readonly onWaiting: (reason: string) => void;
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
}

/**
 * What a gate says of a block:
 *
 * - `published`: it may be shown;
 * - `refused`: another sequencer's block stands in its place. `epoch` is that one's; `null`: it cannot be read;
 * - `unanswered`: it was asked for no longer. Whether the block is published is not known.
 */
export type GateAnswer =
  | { readonly kind: "published" }
  | { readonly kind: "refused"; readonly epoch: number | null }
  | { readonly kind: "unanswered" };

/**
 * Asked after a block's commit returned and before anything about the block leaves the process. A
 * sequencer that others may take over from writes the bundle to a shared store here, and a refusal tells it
 * that another one did: the block stays unpublished.
 */
export type PublishGate = (question: GateQuestion) => Promise<GateAnswer>;

/** The gate of a sequencer that stands alone: everything is published at once. */
export const openGate: PublishGate = () => Promise.resolve({ kind: "published" });
