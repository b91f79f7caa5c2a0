import type { BranchSignature, LibfuncSignature, OutputVariable } from "./signature.ts";

/** Creates the signature of a libfunc with one branch, which continues with the next statement. */
export function straight(
  params: readonly number[],
  variables: readonly OutputVariable[],
  apChange: BranchSignature["apChange"],
): LibfuncSignature {
  return { params, branches: [{ variables, apChange }], fallthrough: 0 };
}

/**
 * Creates the signature of a libfunc with two branches, of which the first is the next statement.
 */
export function forked(
  params: readonly number[],
  fallthrough: BranchSignature,
  other: BranchSignature,
): LibfuncSignature {
  return { params, branches: [fallthrough, other], fallthrough: 0 };
}

/**
 * Creates an output for a builtin pointer after its use: the old pointer plus a small number,
 * stored later.
 */
export function builtinOutput(type: number): OutputVariable {
  return { type, reference: { kind: "deferred" } };
}

/** Creates an output whose value is an expression that later code stores. */
export function deferredOutput(type: number): OutputVariable {
  return { type, reference: { kind: "deferred" } };
}

/**
 * Creates an output in new cells at the top of the stack, at position `index` among such outputs.
 */
export function tempOutput(type: number, index: number): OutputVariable {
  return { type, reference: { kind: "new_temp_var", index } };
}

/** Creates an output in existing cells at any location. */
export function simpleOutput(type: number): OutputVariable {
  return { type, reference: { kind: "simple_derefs" } };
}

/** Creates an output that consists of the cells of the parameter at position `param`. */
export function sameOutput(type: number, param: number): OutputVariable {
  return { type, reference: { kind: "same_as_param", param } };
}

/** Creates an output of a type without cells. */
export function emptyOutput(type: number): OutputVariable {
  return { type, reference: { kind: "zero_sized" } };
}
