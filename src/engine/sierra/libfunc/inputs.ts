import type { Var } from "../casm/builder-state.ts";
import type { CasmBuilder } from "../casm/casm-builder.ts";
import { asBuffer, type CellExpression } from "../casm/cell-expression.ts";
import { CompileError } from "../compile-error.ts";

/** Argument that must be a cell. @throws {CompileError} when it is not */
export function derefInput(builder: CasmBuilder, argument: CellExpression | undefined): Var {
  return argument?.kind === "deref" ? builder.add(argument) : refuse();
}

/** Argument that must be a cell or a number. @throws {CompileError} when it is not */
export function derefOrImmediateInput(
  builder: CasmBuilder,
  argument: CellExpression | undefined,
): Var {
  return argument?.kind === "deref" || argument?.kind === "immediate"
    ? builder.add(argument)
    : refuse();
}

/**
 * Argument that must be a pointer, through which the code writes up to `slack` cells ahead.
 *
 * @throws {CompileError} when it is not
 */
export function bufferInput(
  builder: CasmBuilder,
  argument: CellExpression | undefined,
  slack: number,
): Var {
  const pointer = argument === undefined ? undefined : asBuffer(argument, slack);
  return pointer === undefined ? refuse() : builder.add(pointer);
}

function refuse(): never {
  throw new CompileError(
    "SIERRA_INVALID",
    "an argument is not in a form that the libfunc takes: store it first",
  );
}
