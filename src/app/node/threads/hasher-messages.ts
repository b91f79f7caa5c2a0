/** What a thread that helps to hash is told by the one that it helps. */
export interface HelpMessage {
  readonly kind: "help";
  /** See `SharedPedersen`. */
  readonly page: SharedArrayBuffer;
}
