/** Effect of a libfunc's branch on `ap`. */
export type ApChange =
  | { readonly kind: "known"; readonly cells: number }
  | { readonly kind: "unknown" }
  /** For `branch_align`: the change is part of the metadata. */
  | { readonly kind: "from_metadata" }
  /** No change now; `cells` when locals are finalized. */
  | { readonly kind: "at_locals_finalization"; readonly cells: number }
  | { readonly kind: "finalize_locals" }
  /** Change of the called function, plus two for the call. */
  | { readonly kind: "function_call"; readonly function: number }
  | { readonly kind: "enable_tracking" }
  | { readonly kind: "disable_tracking" };

/** Creates a known change of `ap`. */
export function known(cells: number): ApChange {
  return { kind: "known", cells };
}
