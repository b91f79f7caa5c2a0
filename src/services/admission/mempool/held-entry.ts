import type { MempoolEntry } from "./types.ts";

/** An entry with what the mempool notes about it. */
export interface HeldEntry {
  readonly entry: MempoolEntry;
  /** Order of arrival; those restored after a restart come before all others. */
  readonly sequence: number;
  /**
   * Came back after a restart. In the order of their arrival such transactions were valid: each was
   * validated after those before it had been received.
   */
  readonly restored: boolean;
  /** Is to be handed out in a batch of its own. */
  readonly alone: boolean;
}
