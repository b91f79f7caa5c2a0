import type { BranchSignature, LibfuncSignature, OutputVariable } from "./signature.ts";

/** A libfunc that goes on with the next statement. */
export function straight(
  params: readonly number[],
  variables: readonly OutputVariable[],
  apChange: BranchSignature["apChange"],
): LibfuncSignature {
  return { params, branches: [{ variables, apChange }], fallthrough: 0 };
}

/** A libfunc of two branches, of which the first is the next statement. */
export function forked(
  params: readonly number[],
  fallthrough: BranchSignature,
  other: BranchSignature,
): LibfuncSignature {
  return { params, branches: [fallthrough, other], fallthrough: 0 };
}

/** A pointer of a builtin after use: the old one and a small number. */
export function builtinOutput(type: number): OutputVariable {
  return { type, reference: { kind: "deferred" } };
}

/** An expression that is stored later. */
export function deferredOutput(type: number): OutputVariable {
  return { type, reference: { kind: "deferred" } };
}

/** The `index`-th new cells at the top of the stack. */
export function tempOutput(type: number, index: number): OutputVariable {
  return { type, reference: { kind: "new_temp_var", index } };
}

/** Cells that are somewhere. */
export function simpleOutput(type: number): OutputVariable {
  return { type, reference: { kind: "simple_derefs" } };
}

/** The cells of a parameter. */
export function sameOutput(type: number, param: number): OutputVariable {
  return { type, reference: { kind: "same_as_param", param } };
}

/** No cells. */
export function emptyOutput(type: number): OutputVariable {
  return { type, reference: { kind: "zero_sized" } };
}
