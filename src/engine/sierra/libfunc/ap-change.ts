/** What a branch of a libfunc does to `ap`. */
export type ApChange =
  | { readonly kind: "known"; readonly cells: number }
  | { readonly kind: "unknown" }
  /** `branch_align`: what the metadata says. */
  | { readonly kind: "from_metadata" }
  /** Nothing now, `cells` when locals are finalized. */
  | { readonly kind: "at_locals_finalization"; readonly cells: number }
  | { readonly kind: "finalize_locals" }
  /** That of the function, and two for the call. */
  | { readonly kind: "function_call"; readonly function: number }
  | { readonly kind: "enable_tracking" }
  | { readonly kind: "disable_tracking" };

/** A known change of `ap`. */
export function known(cells: number): ApChange {
  return { kind: "known", cells };
}
