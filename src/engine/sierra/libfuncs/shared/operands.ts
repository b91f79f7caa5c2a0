import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import type { CellExpression } from "../../casm/cell-expression.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { InvocationBuilder } from "../../libfunc/invocation-builder.ts";

/** Code of a libfunc that takes a range check pointer first, at its beginning. */
export interface RangeCheckedCode {
  readonly b: CasmBuilder;
  /** The pointer, which moves on. */
  readonly rangeCheck: Var;
  /** The pointer as it was. */
  readonly start: Var;
}

/** Begins the code of a libfunc whose first argument is a range check pointer. */
export function rangeCheckedCode(invocation: InvocationBuilder, slack: number): RangeCheckedCode {
  const b = new CasmBuilder();
  const rangeCheck = bufferInput(b, invocation.args[0]?.[0], slack);
  return { b, rangeCheck, start: b.copy(rangeCheck) };
}

/** The argument at a position: its only cell. @throws {CompileError} when it is none */
export function cellArgument(b: CasmBuilder, invocation: InvocationBuilder, index: number): Var {
  return derefInput(b, invocation.args[index]?.[0]);
}

/** The argument at a position: its two cells. @throws {CompileError} when they are none */
export function cellPair(
  b: CasmBuilder,
  invocation: InvocationBuilder,
  index: number,
): readonly [Var, Var] {
  const cells = invocation.args[index];
  return [derefInput(b, cells?.[0]), derefInput(b, cells?.[1])];
}

/** The argument at a position: its four cells. @throws {CompileError} when they are none */
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
