import { CompileError } from "../compile-error.ts";
import type { CircuitInfo } from "../libfunc/circuit-info.ts";
import type { PrecostToken } from "../libfunc/branch-cost.ts";
import type { ProgramInfo, StatementInfo } from "../libfunc/program-info.ts";

/** What the info is taken from, of a program's registry. */
export interface InfoSources {
  /** Cells of the values of each type; less than 0 for types without values that are moved. */
  readonly sizes: readonly number[];
  /** The circuits, by their types `Circuit<...>`. */
  readonly circuits: ReadonlyMap<number, CircuitInfo>;
}

/** Info of a program's types; asking for what a type has not is a {@link CompileError}. */
export function programInfo({ sizes, circuits }: InfoSources): ProgramInfo {
  return {
    sizeOf(type) {
      const size = sizes[type];
      return size === undefined || size < 0 ? missing(`type #${type} has no size`) : size;
    },
    circuitOf: (type) => circuits.get(type) ?? missing(`type #${type} is no circuit`),
  };
}

/** With what is known of one statement. */
export function statementInfo(
  info: ProgramInfo,
  tokenUsages: (token: PrecostToken) => number,
): StatementInfo {
  return {
    sizeOf: (type) => info.sizeOf(type),
    circuitOf: (type) => info.circuitOf(type),
    tokenUsages,
  };
}

function missing(what: string): never {
  throw new CompileError("SIERRA_INVALID", what);
}
