import { CompileError } from "../compile-error.ts";
import type { CircuitInfo } from "../libfunc/circuit-info.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { LibfuncFamily } from "../libfunc/specialization.ts";
import type { Program, TypeDeclaration } from "../program/program.ts";
import type { ConcreteType } from "../types/concrete-type.ts";
import { concreteTypes } from "../types/concrete-types.ts";
import { cachedConstCells } from "../types/const-cells.ts";
import { typeSizes } from "../types/type-sizes.ts";
import { specializationContext, specializedLibfuncs } from "./libfuncs.ts";
import { longId } from "./long-id.ts";
import { validateProgram } from "./validation.ts";

/** Types and libfuncs of a validated program. Ids are indices. */
export interface Registry {
  readonly types: readonly ConcreteType[];
  readonly libfuncs: readonly Libfunc[];
  /** Number of cells of each type's values; `UNSIZED` for types whose values cannot be moved. */
  readonly sizes: readonly number[];
  /** Circuits by type `Circuit<...>`. */
  readonly circuits: ReadonlyMap<number, CircuitInfo>;
  /**
   * Cells of the value of a type `Const<...>`; negative numbers stay as the program declares them.
   *
   * @throws {CompileError} SIERRA_INVALID when the type is not a constant, or contains itself
   */
  constCells(type: number): readonly bigint[];
}

/**
 * Compiles the circuit of a type `Circuit<...>`.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when the type is not a circuit
 */
export type CircuitInfoOf = (types: readonly ConcreteType[], circuit: number) => CircuitInfo;

/**
 * Creates the types and libfuncs of a program, and validates the program.
 *
 * @param families - all libfuncs by generic id
 * @throws {CompileError} SIERRA_SPECIALIZATION when a type or a libfunc cannot be specialized; SIERRA_INVALID
 *   when the program breaks a rule
 */
export function createRegistry(
  program: Program,
  families: LibfuncFamily,
  circuitInfoOf: CircuitInfoOf,
): Registry {
  const types = concreteTypes(program.types);
  const typeIds = idsOf(types);
  const circuits = circuitsOf(program.types, types, circuitInfoOf);
  const context = specializationContext(program, types, typeIds);
  const libfuncs = specializedLibfuncs(program, families, context);
  validateProgram(program, types, libfuncs);
  const sizes = typeSizes(types);
  return {
    types,
    libfuncs,
    sizes,
    circuits,
    constCells: cachedConstCells(types, sizes),
  };
}

/**
 * Maximum values of all circuits of a program. Their number grows with circuits times gates, so a small
 * program could exhaust memory.
 */
const CIRCUIT_VALUES_LIMIT = 2 ** 20;

function circuitsOf(
  declarations: readonly TypeDeclaration[],
  types: readonly ConcreteType[],
  circuitInfoOf: CircuitInfoOf,
): ReadonlyMap<number, CircuitInfo> {
  const circuits = new Map<number, CircuitInfo>();
  let values = 0;
  for (const { id, genericId } of types) {
    if (genericId !== "Circuit") continue;
    const info = circuitInfoOf(types, id);
    values += info.valueCount;
    if (values > CIRCUIT_VALUES_LIMIT) {
      throw new CompileError(
        "SIERRA_INVALID",
        `type #${id}: circuits of more than ${CIRCUIT_VALUES_LIMIT} values together`,
      );
    }
    for (const part of info.valueOffsets.keys()) checkVisible(declarations, id, part);
    circuits.set(id, info);
  }
  return circuits;
}

/**
 * Checks that a part of a circuit is declared before it, or has its info declared by the program, like the
 * arguments of other types.
 */
function checkVisible(
  declarations: readonly TypeDeclaration[],
  circuit: number,
  part: number,
): void {
  if (part < circuit || declarations[part]?.declared !== undefined) return;
  throw new CompileError(
    "SIERRA_SPECIALIZATION",
    `type #${circuit}: its part, type #${part}, is not declared before`,
  );
}

function idsOf(types: readonly ConcreteType[]): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const { id, genericId, args } of types) {
    const key = longId(genericId, args);
    const other = ids.get(key);
    if (other !== undefined) {
      throw new CompileError("SIERRA_INVALID", `type #${id} is declared before, as #${other}`);
    }
    ids.set(key, id);
  }
  return ids;
}
