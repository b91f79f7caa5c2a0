import { typeArg } from "../../libfunc/arguments.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { boxOf, fixedSizeArrayOf, snapshotOf, userTypeArg, wrapped } from "../shared/types.ts";

/** Finds a type of a program. @throws {CompileError} when the program does not declare it */
export type TypeOf = (context: SpecializationContext) => number;

/** Type without arguments. */
export function plain(genericId: string): TypeOf {
  return (context) => context.find(genericId);
}

/** Struct of the core library, by name and members. */
export function coreStruct(name: string, members: readonly TypeOf[]): TypeOf {
  return (context) =>
    context.find("Struct", [
      userTypeArg(name),
      ...members.map((member) => typeArg(member(context))),
    ]);
}

/** `core::array::Span` of a type. @param name - the core library's name of the type */
export function spanOf(element: TypeOf, name: string): TypeOf {
  const array: TypeOf = (context) =>
    snapshotOf(context, wrapped(context, "Array", element(context)));
  return coreStruct(`core::array::Span::<${name}>`, [array]);
}

/** Box of a type. */
export function boxed(type: TypeOf): TypeOf {
  return (context) => boxOf(context, type(context));
}

/** Box of a tuple of `count` values of one type. */
export function boxedTuple(element: TypeOf, count: number): TypeOf {
  return (context) => boxOf(context, fixedSizeArrayOf(context, element(context), count));
}

/** Type `felt252`. */
export const FELT = plain("felt252");
/** Span of felts. */
export const FELT_SPAN = spanOf(FELT, "core::felt252");
/** Type `ContractAddress`. */
export const CONTRACT_ADDRESS = plain("ContractAddress");
/** Type `ClassHash`. */
export const CLASS_HASH = plain("ClassHash");
/** Type `u32`. */
export const U32 = plain("u32");
/** Type `u64`. */
export const U64 = plain("u64");
/** Type `u128`. */
export const U128 = plain("u128");
