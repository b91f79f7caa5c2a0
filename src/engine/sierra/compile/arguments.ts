import { isTopOfStack } from "../casm/cell-expression.ts";
import { CompileError } from "../compile-error.ts";
import type { ReferenceValue } from "./reference-value.ts";

/**
 * Checks that the arguments of a statement have the types that it takes.
 *
 * @throws {CompileError} SIERRA_INVALID when one has another type
 */
export function requireTypes(args: readonly ReferenceValue[], types: readonly number[]): void {
  if (args.length !== types.length) {
    refuse(`it takes ${types.length} variables, not ${args.length}`);
  }
  args.forEach(({ type }, i) => {
    if (type !== types[i]) refuse(`argument ${i} is of type #${type}, not of #${types[i]}`);
  });
}

/**
 * Checks that the arguments of a return are consecutive cells ending just below `ap`.
 *
 * @throws {CompileError} SIERRA_INVALID when one is elsewhere
 */
export function requireOnStack(args: readonly ReferenceValue[]): void {
  if (!isTopOfStack(args.flatMap(({ cells }) => cells))) {
    refuse("what it returns is not at the top of the stack");
  }
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_INVALID", message);
}
