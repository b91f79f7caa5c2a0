import type { BuiltinName } from "./names.ts";

/** Builtins that Cairo 1 entry points may use, in the only allowed order. */
export const ENTRY_POINT_BUILTINS = [
  "pedersen",
  "range_check",
  "bitwise",
  "ec_op",
  "poseidon",
  "segment_arena",
  "range_check96",
  "add_mod",
  "mul_mod",
] as const satisfies readonly BuiltinName[];

/** Builtins that Cairo 0 contracts may use, in the only allowed order. */
export const LEGACY_BUILTINS: readonly BuiltinName[] = [
  "pedersen",
  "range_check",
  "ecdsa",
  "bitwise",
  "ec_op",
  "poseidon",
];

/** Whether the builtins are a subset of the allowed ones, in their order and without repetition. */
export function isInBuiltinOrder(
  builtins: readonly BuiltinName[],
  allowed: readonly BuiltinName[],
): boolean {
  let next = 0;
  for (const name of builtins) {
    next = allowed.indexOf(name, next) + 1;
    if (next === 0) return false;
  }
  return true;
}
