import { CompileError } from "../compile-error.ts";
import type { CircuitInfo } from "../libfunc/circuit-info.ts";
import type { PrecostToken } from "../libfunc/branch-cost.ts";
import type { ProgramFacts, StatementFacts } from "../libfunc/facts.ts";

/** What the facts are taken from, of a program's registry. */
export interface FactSources {
  /** Cells of the values of each type; less than 0 for types without values that are moved. */
  readonly sizes: readonly number[];
  /** The circuits, by their types `Circuit<...>`. */
  readonly circuits: ReadonlyMap<number, CircuitInfo>;
}

/** Facts of a program's types; asking for what a type has not is a {@link CompileError}. */
export function programFacts({ sizes, circuits }: FactSources): ProgramFacts {
  return {
    sizeOf(type) {
      const size = sizes[type];
      return size === undefined || size < 0 ? missing(`type #${type} has no size`) : size;
    },
    circuitOf: (type) => circuits.get(type) ?? missing(`type #${type} is no circuit`),
  };
}

/** With what is known of one statement. */
export function statementFacts(
  facts: ProgramFacts,
  tokenUsages: (token: PrecostToken) => number,
): StatementFacts {
  return {
    sizeOf: (type) => facts.sizeOf(type),
    circuitOf: (type) => facts.circuitOf(type),
    tokenUsages,
  };
}

function missing(what: string): never {
  throw new CompileError("SIERRA_INVALID", what);
}
