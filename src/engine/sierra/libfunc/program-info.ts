import type { PrecostToken } from "./branch-cost.ts";
import type { CircuitInfo } from "./circuit-info.ts";

/** What costs of a libfunc may depend on. */
export interface ProgramInfo {
  /** Cells of a value of a type. */
  sizeOf(type: number): number;
  /** The circuit of a type `Circuit<...>`. */
  circuitOf(type: number): CircuitInfo;
}

/** What the change of `ap` may depend on, too. */
export interface StatementInfo extends ProgramInfo {
  /** How often a builtin is paid for at this statement; known once builtins have been solved. */
  tokenUsages(token: PrecostToken): number;
}
