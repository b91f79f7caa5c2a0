import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import type { CellExpression } from "../../casm/cell-expression.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { InvocationBuilder } from "../../libfunc/invocation-builder.ts";

/** State at the start of a libfunc's code whose first argument is a range check pointer. */
export interface RangeCheckedCode {
  readonly b: CasmBuilder;
  /** Pointer that advances with each check. */
  readonly rangeCheck: Var;
  /** Initial value of the pointer. */
  readonly start: Var;
}

/** Starts the code of a libfunc whose first argument is a range check pointer. */
export function rangeCheckedCode(invocation: InvocationBuilder, slack: number): RangeCheckedCode {
  const b = new CasmBuilder();
  const rangeCheck = bufferInput(b, invocation.args[0]?.[0], slack);
  return { b, rangeCheck, start: b.copy(rangeCheck) };
}

/**
 * Returns the argument at a position, which must be a single cell, as a variable.
 *
 * @throws {CompileError} when it is not a cell
 */
export function cellArgument(b: CasmBuilder, invocation: InvocationBuilder, index: number): Var {
  return derefInput(b, invocation.args[index]?.[0]);
}

/**
 * Returns the two cells of the argument at a position as variables.
 *
 * @throws {CompileError} when one is not a cell
 */
export function cellPair(
  b: CasmBuilder,
  invocation: InvocationBuilder,
  index: number,
): readonly [Var, Var] {
  const cells = invocation.args[index];
  return [derefInput(b, cells?.[0]), derefInput(b, cells?.[1])];
}

/**
 * Returns the four cells of the argument at a position as variables.
 *
 * @throws {CompileError} when one is not a cell
 */
export function cellQuad(
  b: CasmBuilder,
  invocation: InvocationBuilder,
  index: number,
): readonly [Var, Var, Var, Var] {
  const cells: readonly CellExpression[] | undefined = invocation.args[index];
  return [
    derefInput(b, cells?.[0]),
    derefInput(b, cells?.[1]),
    derefInput(b, cells?.[2]),
    derefInput(b, cells?.[3]),
  ];
}
