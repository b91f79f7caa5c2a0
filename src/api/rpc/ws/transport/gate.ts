/** Holds frames back until the client has had time to act on an answer. */
export class Gate {
  /** What waits, in its order. */
  frames: Uint8Array[] = [];
  isOpen = false;
}
