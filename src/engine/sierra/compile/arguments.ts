import { isTopOfStack } from "../casm/cell-expression.ts";
import { CompileError } from "../compile-error.ts";
import type { ReferenceValue } from "./reference-value.ts";

/**
 * The arguments of a statement are of the types that it takes.
 *
 * @throws {CompileError} SIERRA_INVALID when one is of another type
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
 * The arguments of a return end below `ap`, one after another.
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
