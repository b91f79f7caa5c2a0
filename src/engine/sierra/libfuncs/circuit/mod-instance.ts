import type { Var } from "../../casm/builder-state.ts";
import type { CasmBuilder } from "../../casm/casm-builder.ts";

/** What is written to an instance of the builtins `add_mod` and `mul_mod`. */
export interface ModInstance {
  readonly modulus: readonly [Var, Var, Var, Var];
  readonly values: Var;
  /** Where its gates are described. */
  readonly offsets: Var;
}

/** Writes an instance without its last cell, the number of gates. */
export function writeModInstance(b: CasmBuilder, pointer: Var, instance: ModInstance): void {
  const cells = [...instance.modulus, instance.values, instance.offsets];
  cells.forEach((cell, index) => b.assertEq(cell, b.at(pointer, index)));
}

/** Reads or writes the number of gates of an instance. */
export function gateCountOf(b: CasmBuilder, pointer: Var): Var {
  return b.at(pointer, 6);
}
