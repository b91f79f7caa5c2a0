import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";
import type { CellExpression } from "../../casm/cell-expression.ts";
import { derefInput } from "../../libfunc/inputs.ts";

/** Names the cells of an argument, in order. @throws {CompileError} when one is not a cell */
export function namedCells<Name extends string>(
  b: CasmBuilder,
  argument: readonly CellExpression[] | undefined,
  names: readonly Name[],
): Readonly<Record<Name, Var>> {
  const cells = names.map((name, index) => [name, derefInput(b, argument?.[index])] as const);
  return Object.fromEntries(cells) as Record<Name, Var>;
}
