import { typeArgument } from "../libfunc/arguments.ts";
import type { TypeInfo } from "../program/program.ts";
import { boundsOf, INTEGER_RANGES } from "./integer-range.ts";
import { LINEAR_INFO, VALUE_INFO } from "./plain-types.ts";
import { refuseArguments, type VisibleType, type TypeRule, type TypeScope } from "./type-scope.ts";

/** Derives the info of a wrapper from its inner type; `undefined` when it cannot wrap that type. */
type InfoRule = (inner: VisibleType, scope: TypeScope) => TypeInfo | undefined;

const INFO_RULES: Readonly<Record<string, InfoRule>> = {
  Array: cells(({ droppable }) => ({ droppable, duplicatable: false })),
  Span: cells(({ droppable, duplicatable }) => ({ droppable, duplicatable })),
  // Like an array: entries cannot be copied, even if values can.
  SquashedFelt252Dict: cells(({ droppable }) => ({ droppable, duplicatable: false })),
  Box: storable((inner) => ({ ...inner, zeroSized: false })),
  Nullable: storable((inner) => ({ ...inner, zeroSized: false })),
  NonZero: storable((inner) => inner),
  Uninitialized: storable(({ zeroSized }) => ({
    storable: false,
    droppable: true,
    duplicatable: false,
    zeroSized,
  })),
  // A copyable type is its own snapshot.
  Snapshot: storable(({ duplicatable, zeroSized }) =>
    duplicatable ? undefined : { ...VALUE_INFO, zeroSized },
  ),
  IntRange: (inner) => (isInteger(inner) ? VALUE_INFO : undefined),
  Felt252Dict: dictionary,
  Felt252DictEntry: dictionary,
};

/** Types with one type argument, by generic id. */
export const WRAPPER_TYPES: readonly (readonly [string, TypeRule])[] = Object.entries(
  INFO_RULES,
).map(([id, rule]) => [
  id,
  (scope, args) => {
    const inner = typeArgument(args);
    const wrapped = scope.resolve(inner);
    const info = rule(wrapped, scope) ?? refuseArguments(`${id} cannot hold ${wrapped.genericId}`);
    return { info, data: { kind: "wrapper", inner } };
  },
]);

function storable(rule: (inner: TypeInfo) => TypeInfo | undefined): InfoRule {
  return ({ info }) => (info.storable ? rule(info) : undefined);
}

/** Rule of types that hold cells of the inner type in memory. */
function cells(rule: (inner: TypeInfo) => Pick<TypeInfo, "droppable" | "duplicatable">): InfoRule {
  return storable((inner) => (inner.zeroSized ? undefined : { ...LINEAR_INFO, ...rule(inner) }));
}

function isInteger({ genericId, args }: VisibleType): boolean {
  if (genericId !== "BoundedInt") return INTEGER_RANGES.has(genericId) && args.length === 0;
  boundsOf(args);
  return true;
}

const DICTIONARY_VALUES = new Set(["felt252", "u8", "u16", "u32", "u64", "u128"]);

/**
 * Rule of dictionaries: values must have one cell, for which zero is valid, because it is a key's initial
 * value.
 */
function dictionary(inner: VisibleType, scope: TypeScope): TypeInfo | undefined {
  const fits =
    (DICTIONARY_VALUES.has(inner.genericId) && inner.args.length === 0) ||
    (inner.genericId === "Nullable" && inner.args.length === 1) ||
    isFlag(inner, scope);
  return fits && inner.info.storable && inner.info.droppable ? LINEAR_INFO : undefined;
}

/** Whether a type is a one-cell enum: up to two variants, without data. */
function isFlag({ genericId, args }: VisibleType, scope: TypeScope): boolean {
  return (
    genericId === "Enum" &&
    args.length >= 1 &&
    args.length <= 3 &&
    args.slice(1).every((each) => each.kind === "type" && scope.resolve(each.type).info.zeroSized)
  );
}
