import type { Libfunc } from "../libfunc/libfunc.ts";
import type { FactSources } from "../metadata/program-facts.ts";

/** What code generation asks of the types and libfuncs of a program. */
export interface RegistrySource extends FactSources {
  /** By their positions in the program. */
  readonly libfuncs: readonly Libfunc[];
  /**
   * Cells of the value of a constant type.
   *
   * @throws {CompileError} SIERRA_INVALID when it is no such type
   */
  constCells(type: number): readonly bigint[];
}
