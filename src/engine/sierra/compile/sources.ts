import type { Libfunc } from "../libfunc/libfunc.ts";
import type { InfoSources } from "../metadata/program-info.ts";

/** Information about the types and libfuncs of a program that code generation needs. */
export interface RegistrySource extends InfoSources {
  /** Libfuncs by their index in the program. */
  readonly libfuncs: readonly Libfunc[];
  /**
   * Cells of the value of a constant type.
   *
   * @throws {CompileError} SIERRA_INVALID when it is not a constant type
   */
  constCells(type: number): readonly bigint[];
}
