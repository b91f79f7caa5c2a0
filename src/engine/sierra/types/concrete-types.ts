import { CompileError } from "../compile-error.ts";
import type { TypeDeclaration, TypeInfo } from "../program/program.ts";
import { CIRCUIT_TYPES } from "./circuit-types.ts";
import { COMPOSITE_TYPES } from "./composite-types.ts";
import type { ConcreteType } from "./concrete-type.ts";
import { constType } from "./const-type.ts";
import { PLAIN_TYPES } from "./plain-types.ts";
import type { VisibleType, TypeRule, TypeScope } from "./type-scope.ts";
import { WRAPPER_TYPES } from "./wrapper-types.ts";

const TYPE_RULES: ReadonlyMap<string, TypeRule> = new Map([
  ...PLAIN_TYPES,
  ...WRAPPER_TYPES,
  ...COMPOSITE_TYPES,
  ...CIRCUIT_TYPES,
  ["Const", constType],
]);

/**
 * Creates the types of a program, in order. A type may refer to later types only if the program declares
 * their info, which must be correct.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when a type cannot have its arguments; SIERRA_INVALID when its
 *   info differs from the declared one
 */
export function concreteTypes(declarations: readonly TypeDeclaration[]): ConcreteType[] {
  const types: ConcreteType[] = [];
  const scope = scopeOf(declarations, types);
  declarations.forEach((declaration, id) => {
    const { genericId, args, declared } = declaration;
    const rule = TYPE_RULES.get(genericId);
    if (rule === undefined) {
      throw new CompileError("SIERRA_SPECIALIZATION", `type #${id}: no type ${genericId}`);
    }
    const { info, data } = rule(scope, args);
    if (declared !== undefined && !sameInfo(declared, info)) {
      throw new CompileError(
        "SIERRA_INVALID",
        `type #${id} (${genericId}): its info differs from the declared one`,
      );
    }
    types.push({ id, genericId, args, info, data });
  });
  return types;
}

/** Creates the scope; `types` contains the types created so far, and grows. */
function scopeOf(
  declarations: readonly TypeDeclaration[],
  types: readonly ConcreteType[],
): TypeScope {
  return {
    resolve(type): VisibleType {
      const concrete = types[type];
      if (concrete !== undefined) return concrete;
      const later = declarations[type];
      if (later?.declared === undefined) {
        throw new CompileError("SIERRA_SPECIALIZATION", `type #${type} is not declared before`);
      }
      return { genericId: later.genericId, args: later.args, info: later.declared };
    },
  };
}

function sameInfo(a: TypeInfo, b: TypeInfo): boolean {
  return (
    a.storable === b.storable &&
    a.droppable === b.droppable &&
    a.duplicatable === b.duplicatable &&
    a.zeroSized === b.zeroSized
  );
}
