import {
  type BuiltinName,
  ENTRY_POINT_BUILTINS,
  isInBuiltinOrder,
} from "#protocol/versions/index.ts";

/**
 * Returns what is wrong with the builtins of a Cairo 1 entry point, in the reference engine's wording;
 * `undefined` if they are valid.
 */
export function entryPointBuiltinsProblem(builtins: readonly BuiltinName[]): string | undefined {
  if (isInBuiltinOrder(builtins, ENTRY_POINT_BUILTINS)) return undefined;
  return (
    "Entry point uses unsupported builtins or an invalid builtin order: " +
    `[${builtins.join(", ")}].`
  );
}
