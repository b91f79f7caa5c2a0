import type { MempoolEntry } from "./types.ts";

/** Transaction in the mempool's memory, with its arrival number and its state for ordering. */
export interface HeldEntry {
  readonly entry: MempoolEntry;
  /** Arrival order; entries restored after a restart precede all others. */
  readonly sequence: number;
  /**
   * Restored after a restart. Such transactions are valid in arrival order: each was validated after those
   * before it had been received.
   */
  readonly restored: boolean;
  /** Whether the entry must be the only one of its batch. */
  readonly alone: boolean;
}
