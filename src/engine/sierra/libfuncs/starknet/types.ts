import { typeArg } from "../../libfunc/arguments.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { boxOf, fixedSizeArrayOf, snapshotOf, userTypeArg, wrapped } from "../shared/types.ts";

/**
 * Function that finds one type among the types of a program, and returns its id.
 *
 * @throws {CompileError} when the program does not declare it
 */
export type TypeOf = (context: SpecializationContext) => number;

/** Returns a {@link TypeOf} for a generic type without arguments. */
export function plain(genericId: string): TypeOf {
  return (context) => context.find(genericId);
}

/** Returns a {@link TypeOf} for a struct of the core library, by full name and member types. */
export function coreStruct(name: string, members: readonly TypeOf[]): TypeOf {
  return (context) =>
    context.find("Struct", [
      userTypeArg(name),
      ...members.map((member) => typeArg(member(context))),
    ]);
}

/**
 * Returns a {@link TypeOf} for `core::array::Span` of a type.
 *
 * @param name - the core library's name of the type
 */
export function spanOf(element: TypeOf, name: string): TypeOf {
  const array: TypeOf = (context) =>
    snapshotOf(context, wrapped(context, "Array", element(context)));
  return coreStruct(`core::array::Span::<${name}>`, [array]);
}

/** Returns a {@link TypeOf} for the box of a type. */
export function boxed(type: TypeOf): TypeOf {
  return (context) => boxOf(context, type(context));
}

/** Returns a {@link TypeOf} for the box of a fixed-size array of `count` values of one type. */
export function boxedTuple(element: TypeOf, count: number): TypeOf {
  return (context) => boxOf(context, fixedSizeArrayOf(context, element(context), count));
}

/** Finds type `felt252` in a program. */
export const FELT = plain("felt252");
/** Finds `Span<felt252>` in a program. */
export const FELT_SPAN = spanOf(FELT, "core::felt252");
/** Finds type `ContractAddress` in a program. */
export const CONTRACT_ADDRESS = plain("ContractAddress");
/** Finds type `ClassHash` in a program. */
export const CLASS_HASH = plain("ClassHash");
/** Finds type `u32` in a program. */
export const U32 = plain("u32");
/** Finds type `u64` in a program. */
export const U64 = plain("u64");
/** Finds type `u128` in a program. */
export const U128 = plain("u128");
