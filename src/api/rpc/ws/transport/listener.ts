/** Handler of a client's messages. */
export interface WsListener {
  /**
   * Handles a complete message; responses are sent when they are ready.
   *
   * @param release - must be called once the text is no longer needed; idempotent
   */
  message(text: string, release: () => void): void;
  /** The client has read enough to get more at its own pace. */
  writable(): void;
  /** The server stops: the connection must be closed once its requests are answered. */
  stopping(): void;
  /** The connection ends; messages sent from now on do not arrive. Called once. */
  ended(): void;
}
