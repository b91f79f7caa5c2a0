import type { Libfunc } from "../libfunc/libfunc.ts";
import type { InfoSources } from "../metadata/program-info.ts";

/** What code generation asks of the types and libfuncs of a program. */
export interface RegistrySource extends InfoSources {
  /** By their positions in the program. */
  readonly libfuncs: readonly Libfunc[];
  /**
   * Cells of the value of a constant type.
   *
   * @throws {CompileError} SIERRA_INVALID when it is no such type
   */
  constCells(type: number): readonly bigint[];
}
