import type { GenericArgument, TypeInfo } from "../program/program.ts";
import { boundsOf, rangeSize } from "./integer-range.ts";
import { LINEAR_INFO, VALUE_INFO } from "./plain-types.ts";
import { refuseArguments, type TypeRule, type TypeScope } from "./type-scope.ts";

const struct: TypeRule = (scope, args) => {
  const members = partsOf(args);
  const infos = members.map((member) => scope.resolve(member).info);
  return {
    info: {
      ...sharedInfo(infos),
      storable: infos.every((info) => info.storable),
      zeroSized: infos.every((info) => info.zeroSized),
    },
    data: { kind: "struct", members },
  };
};

const enumeration: TypeRule = (scope, args) => {
  const variants = partsOf(args);
  const infos = variants.map((variant) => storableInfo(scope, variant));
  return { info: { ...VALUE_INFO, ...sharedInfo(infos) }, data: { kind: "enum", variants } };
};

const coupon: TypeRule = (_, args) => {
  const [paid] = args;
  if (args.length !== 1 || paid?.kind !== "function") {
    return refuseArguments("expected generic arguments: one function");
  }
  return {
    info: { ...VALUE_INFO, duplicatable: false, zeroSized: true },
    data: { kind: "coupon", function: paid.function },
  };
};

const boundedInt: TypeRule = (_, args) => ({
  info: VALUE_INFO,
  data: { kind: "integer", range: boundsOf(args) },
});

const boundedIntGuarantee: TypeRule = (_, args) => {
  const range = boundsOf(args);
  if (range.lower !== 0n || rangeSize(range) !== 1n << 32n) {
    return refuseArguments("BoundedIntGuarantee must have the bounds of 32 bits");
  }
  return { info: LINEAR_INFO, data: { kind: "integer", range } };
};

/** Types with arguments of several kinds, by generic id. */
export const COMPOSITE_TYPES: readonly (readonly [string, TypeRule])[] = [
  ["Struct", struct],
  ["Enum", enumeration],
  ["Coupon", coupon],
  ["BoundedInt", boundedInt],
  ["BoundedIntGuarantee", boundedIntGuarantee],
];

/** Type arguments after the leading user type. */
function partsOf([name, ...parts]: readonly GenericArgument[]): number[] {
  if (name?.kind !== "user_type") return refuseArguments("expected a user type first");
  return parts.map((part) =>
    part.kind === "type" ? part.type : refuseArguments("expected types after the user type"),
  );
}

/** A composite can be copied or dropped if all its parts can. */
function sharedInfo(infos: readonly TypeInfo[]): Pick<TypeInfo, "droppable" | "duplicatable"> {
  return {
    droppable: infos.every((info) => info.droppable),
    duplicatable: infos.every((info) => info.duplicatable),
  };
}

function storableInfo(scope: TypeScope, type: number): TypeInfo {
  const { info, genericId } = scope.resolve(type);
  return info.storable ? info : refuseArguments(`a variant of ${genericId} cannot be stored`);
}
