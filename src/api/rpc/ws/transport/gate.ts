/** Buffers frames until the client has had time to act on a response. */
export class Gate {
  /** Buffered frames, the oldest first. */
  frames: Uint8Array[] = [];
  isOpen = false;
}
