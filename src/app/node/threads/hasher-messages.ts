/** Message that assigns a page of hashes to a helper thread. */
export interface HelpMessage {
  readonly kind: "help";
  /** See `SharedPedersen`. */
  readonly page: SharedArrayBuffer;
}
