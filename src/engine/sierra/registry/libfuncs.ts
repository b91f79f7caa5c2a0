import { CompileError } from "../compile-error.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { LibfuncFamily, SpecializationContext } from "../libfunc/specialization.ts";
import type { Program } from "../program/program.ts";
import type { ConcreteType } from "../types/concrete-type.ts";
import { longId } from "./long-id.ts";

/**
 * Specializes the libfuncs of a program. Equal declarations share one libfunc.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION for an unknown libfunc or invalid arguments
 */
export function specializedLibfuncs(
  program: Program,
  families: LibfuncFamily,
  context: SpecializationContext,
): Libfunc[] {
  const cache = new Map<string, Libfunc>();
  return program.libfuncs.map(({ genericId, args }, id) => {
    const specialize = Object.hasOwn(families, genericId) ? families[genericId] : undefined;
    if (specialize === undefined) {
      throw new CompileError("SIERRA_SPECIALIZATION", `libfunc #${id}: no libfunc ${genericId}`);
    }
    const key = longId(genericId, args);
    const libfunc = cache.get(key) ?? named(id, genericId, () => specialize(context, args));
    cache.set(key, libfunc);
    return libfunc;
  });
}

/** Creates the context for specializing the libfuncs of a program. */
export function specializationContext(
  program: Program,
  types: readonly ConcreteType[],
  typeIds: ReadonlyMap<string, number>,
): SpecializationContext {
  return {
    typeOf: (id) => types[id] ?? missing(`type #${id}`),
    find: (genericId, args = []) =>
      typeIds.get(longId(genericId, args)) ?? missing(`type ${longId(genericId, args)}`),
    functionOf(id) {
      const declaration = program.functions[id] ?? missing(`function #${id}`);
      return {
        params: declaration.params.map((param) => param.type),
        returns: declaration.returns,
      };
    },
  };
}

function missing(what: string): never {
  throw new CompileError("SIERRA_SPECIALIZATION", `the program declares no ${what}`);
}

function named<T>(id: number, genericId: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    throw new CompileError(error.code, `libfunc #${id} (${genericId}): ${error.message}`);
  }
}
