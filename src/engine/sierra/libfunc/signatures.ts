import type { BranchSignature, LibfuncSignature, OutputVariable } from "./signature.ts";

/** Signature of a libfunc that continues with the next statement. */
export function straight(
  params: readonly number[],
  variables: readonly OutputVariable[],
  apChange: BranchSignature["apChange"],
): LibfuncSignature {
  return { params, branches: [{ variables, apChange }], fallthrough: 0 };
}

/** Signature of a libfunc with two branches, of which the first is the next statement. */
export function forked(
  params: readonly number[],
  fallthrough: BranchSignature,
  other: BranchSignature,
): LibfuncSignature {
  return { params, branches: [fallthrough, other], fallthrough: 0 };
}

/** Builtin pointer after use: the old one plus a small number. */
export function builtinOutput(type: number): OutputVariable {
  return { type, reference: { kind: "deferred" } };
}

/** Expression that is stored later. */
export function deferredOutput(type: number): OutputVariable {
  return { type, reference: { kind: "deferred" } };
}

/** New cells at the top of the stack, at position `index` among such outputs. */
export function tempOutput(type: number, index: number): OutputVariable {
  return { type, reference: { kind: "new_temp_var", index } };
}

/** Existing cells at any location. */
export function simpleOutput(type: number): OutputVariable {
  return { type, reference: { kind: "simple_derefs" } };
}

/** Cells of a parameter. */
export function sameOutput(type: number, param: number): OutputVariable {
  return { type, reference: { kind: "same_as_param", param } };
}

/** Output without cells. */
export function emptyOutput(type: number): OutputVariable {
  return { type, reference: { kind: "zero_sized" } };
}
