/** Who works with what a client sends. */
export interface WsListener {
  /**
   * A whole message. Its answers are sent when they are there.
   *
   * @param release - to be called once its text is not needed any more; may be called again
   */
  message(text: string, release: () => void): void;
  /** The client has read enough to be given more at its own pace. */
  writable(): void;
  /** The server stops: the connection is to be closed once its requests are answered. */
  stopping(): void;
  /** The connection ends; nothing that is sent from now on arrives. Called once. */
  ended(): void;
}
