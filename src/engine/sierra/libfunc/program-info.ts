import type { PrecostToken } from "./branch-cost.ts";
import type { CircuitInfo } from "./circuit-info.ts";

/** Information that costs of a libfunc may depend on. */
export interface ProgramInfo {
  /** Number of cells of a value of a type. */
  sizeOf(type: number): number;
  /** Circuit of a type `Circuit<...>`. */
  circuitOf(type: number): CircuitInfo;
}

/** Additional information that the change of `ap` may depend on. */
export interface StatementInfo extends ProgramInfo {
  /**
   * Number of uses of a builtin that are paid for at this statement; known once the builtin equations are
   * solved.
   */
  tokenUsages(token: PrecostToken): number;
}
