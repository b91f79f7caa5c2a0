import type { Felt } from "#base/primitives/index.ts";

/** Block before the one that is about to be published, as this sequencer has it. */
export interface Predecessor {
  readonly blockNumber: number;
  readonly hash: Felt;
  /** `null` if the block is from an earlier epoch, made by another sequencer. */
  readonly epoch: number | null;
}

/** Request to a gate about a committed block. */
export interface GateRequest {
  readonly blockNumber: number;
  /** `null` for a chain's first block. */
  readonly predecessor: Predecessor | null;
  /** Encodes the block's canonical bytes lazily, because some gates do not need them. */
  readonly bundle: () => Uint8Array;
  /** Called with the reason while the response is outstanding, as often as there is news. */
  readonly onWaiting: (reason: string) => void;
  /** Aborted when the caller stops waiting for the response. */
  readonly signal: AbortSignal;
}

/**
 * Response of a gate.
 *
 * - `published`: the block may be shown to clients.
 * - `refused`: another sequencer's block has its number. `epoch` is that block's; `null` if it cannot be
 *   read.
 * - `unanswered`: the caller stopped waiting; it is unknown whether the block is published.
 */
export type GateAnswer =
  | { readonly kind: "published" }
  | { readonly kind: "refused"; readonly epoch: number | null }
  | { readonly kind: "unanswered" };

/**
 * Gate that runs after a block's commit returned and before anything about the block leaves the process.
 * A sequencer with standbys writes the bundle to a shared store here. A refusal means that another sequencer
 * published a block of that number first: ours stays unpublished.
 */
export type PublishGate = (question: GateRequest) => Promise<GateAnswer>;

/** Gate of a sequencer that runs alone: publishes everything immediately. */
export const openGate: PublishGate = () => Promise.resolve({ kind: "published" });
