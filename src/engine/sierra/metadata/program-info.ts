import { CompileError } from "../compile-error.ts";
import type { CircuitInfo } from "../libfunc/circuit-info.ts";
import type { PrecostToken } from "../libfunc/branch-cost.ts";
import type { ProgramInfo, StatementInfo } from "../libfunc/program-info.ts";

/** Parts of a program's registry from which the info is derived. */
export interface InfoSources {
  /** Number of cells of each type's values; negative for types whose values cannot be moved. */
  readonly sizes: readonly number[];
  /** Circuits by type `Circuit<...>`. */
  readonly circuits: ReadonlyMap<number, CircuitInfo>;
}

/** Creates the info about a program's types; a request for a missing property throws {@link CompileError}. */
export function programInfo({ sizes, circuits }: InfoSources): ProgramInfo {
  return {
    sizeOf(type) {
      const size = sizes[type];
      return size === undefined || size < 0 ? missing(`type #${type} has no size`) : size;
    },
    circuitOf: (type) => circuits.get(type) ?? missing(`type #${type} is no circuit`),
  };
}

/** Adds the facts about one statement to the info. */
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
