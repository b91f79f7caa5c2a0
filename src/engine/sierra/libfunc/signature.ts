/** Where the cells of an output are. Only what the compiler asks is told apart. */
export type OutputReference =
  /** The cells of the argument at this position. */
  | { readonly kind: "same_as_param"; readonly param: number }
  /** New cells at the top of the stack; `index` counts such outputs of a branch from the lowest one. */
  | { readonly kind: "new_temp_var"; readonly index: number }
  /** New cells relative to `fp`. */
  | { readonly kind: "new_local_var" }
  /** Cells that are somewhere. */
  | { readonly kind: "simple_derefs" }
  /** A part of an argument, or an expression that a later statement stores. */
  | { readonly kind: "deferred" }
  | { readonly kind: "zero_sized" };

/** A variable that a branch makes. */
export interface OutputVariable {
  readonly type: number;
  readonly reference: OutputReference;
}

/** What a branch gives. */
export interface BranchSignature {
  readonly variables: readonly OutputVariable[];
  /** `new_vars_only`: every new cell of the stack is of an output that is a new temp var. */
  readonly apChange: "new_vars_only" | "branch_align" | "other";
}

/** What a libfunc takes and gives. Types are ids. */
export interface LibfuncSignature {
  readonly params: readonly number[];
  readonly branches: readonly BranchSignature[];
  /** The branch that goes on with the next statement, if one does. */
  readonly fallthrough: number | undefined;
}
