import { CompileError } from "../compile-error.ts";
import type { CircuitInfo } from "../libfunc/circuit-info.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { LibfuncFamily } from "../libfunc/specialization.ts";
import type { Program, TypeDeclaration } from "../program/program.ts";
import type { ConcreteType } from "../types/concrete-type.ts";
import { concreteTypes } from "../types/concrete-types.ts";
import { rememberedConstCells } from "../types/const-cells.ts";
import { typeSizes } from "../types/type-sizes.ts";
import { specializationContext, specializedLibfuncs } from "./libfuncs.ts";
import { longId } from "./long-id.ts";
import { validateProgram } from "./validation.ts";

/** The types and libfuncs of a program that was found to be one. Ids are positions. */
export interface Registry {
  readonly types: readonly ConcreteType[];
  readonly libfuncs: readonly Libfunc[];
  /** Cells of the values of each type; `UNSIZED` for types without values that are moved. */
  readonly sizes: readonly number[];
  /** The circuits, by their types `Circuit<...>`. */
  readonly circuits: ReadonlyMap<number, CircuitInfo>;
  /**
   * The cells of the value of a type `Const<...>`; negative numbers are as the program states them.
   *
   * @throws {CompileError} SIERRA_INVALID when the type is no such one, or contains itself
   */
  constCells(type: number): readonly bigint[];
}

/**
 * What the circuit of a type `Circuit<...>` is compiled to.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when the type is no circuit
 */
export type CircuitInfoOf = (types: readonly ConcreteType[], circuit: number) => CircuitInfo;

/**
 * Makes the types and libfuncs of a program, and checks the program.
 *
 * @param families - all libfuncs by their generic ids
 * @throws {CompileError} SIERRA_SPECIALIZATION when a type or a libfunc cannot be made;
 *   SIERRA_INVALID when the program breaks a rule
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
    constCells: rememberedConstCells(types, sizes),
  };
}

/**
 * Values of all circuits of a program: their number is of the order of the circuits times the gates,
 * so that a small program could ask for more than memory has.
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
    for (const part of info.valueOffsets.keys()) checkSeen(declarations, id, part);
    circuits.set(id, info);
  }
  return circuits;
}

/** A circuit is made of all its parts, as other types of their arguments: of later ones by their info. */
function checkSeen(declarations: readonly TypeDeclaration[], circuit: number, part: number): void {
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
