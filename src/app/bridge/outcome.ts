/** How a run of a transfer ended, unless with an error. */
export type TransferOutcome =
  | { readonly kind: "done" }
  /** It came to its end in an earlier run: nothing was sent. */
  | { readonly kind: "done before" }
  /** Nothing went wrong, and a later run continues. */
  | { readonly kind: "waits"; readonly reason: string };
