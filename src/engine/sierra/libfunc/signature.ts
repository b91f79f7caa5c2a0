/** Location of an output's cells. Distinguishes only the cases that the compiler needs. */
export type OutputReference =
  /** Cells of the argument at this position. */
  | { readonly kind: "same_as_param"; readonly param: number }
  /** New cells at the top of the stack; `index` numbers such outputs of a branch from the lowest one. */
  | { readonly kind: "new_temp_var"; readonly index: number }
  /** New cells relative to `fp`. */
  | { readonly kind: "new_local_var" }
  /** Existing cells at any location. */
  | { readonly kind: "simple_derefs" }
  /** Part of an argument, or an expression that a later statement stores. */
  | { readonly kind: "deferred" }
  | { readonly kind: "zero_sized" };

/** Variable that a branch defines. */
export interface OutputVariable {
  readonly type: number;
  readonly reference: OutputReference;
}

/** Outputs of a branch. */
export interface BranchSignature {
  readonly variables: readonly OutputVariable[];
  /** `new_vars_only`: every new stack cell belongs to a `new_temp_var` output. */
  readonly apChange: "new_vars_only" | "branch_align" | "other";
}

/** Inputs and outputs of a libfunc. Types are ids. */
export interface LibfuncSignature {
  readonly params: readonly number[];
  readonly branches: readonly BranchSignature[];
  /** Branch that continues with the next statement; `undefined` if none does. */
  readonly fallthrough: number | undefined;
}
