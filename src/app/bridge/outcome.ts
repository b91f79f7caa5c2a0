/** Outcome of a transfer's run without errors. */
export type TransferOutcome =
  | { readonly kind: "done" }
  /** An earlier run completed it: nothing was sent. */
  | { readonly kind: "done before" }
  /** Incomplete without an error: a later run continues. */
  | { readonly kind: "waits"; readonly reason: string };
