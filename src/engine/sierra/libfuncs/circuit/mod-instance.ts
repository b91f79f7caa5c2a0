import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";

/** Contents of an `add_mod` or `mul_mod` instance. */
export interface ModInstance {
  readonly modulus: readonly [Var, Var, Var, Var];
  readonly values: Var;
  /** Address of the gate descriptions. */
  readonly offsets: Var;
}

/**
 * Emits the code that writes an `add_mod` or `mul_mod` instance without its last cell, the number
 * of gates.
 */
export function writeModInstance(b: CasmBuilder, pointer: Var, instance: ModInstance): void {
  const cells = [...instance.modulus, instance.values, instance.offsets];
  cells.forEach((cell, index) => b.assertEq(cell, b.at(pointer, index)));
}

/**
 * Returns the variable for the cell of an instance that holds its number of gates, for reading or
 * writing.
 */
export function gateCountOf(b: CasmBuilder, pointer: Var): Var {
  return b.at(pointer, 6);
}
