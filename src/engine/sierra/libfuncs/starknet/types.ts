import { typeArg } from "../../libfunc/arguments.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { boxOf, fixedSizeArrayOf, snapshotOf, userTypeArg, wrapped } from "../shared/types.ts";

/** Gives a type of a program. @throws {CompileError} when the program does not declare it */
export type TypeOf = (context: SpecializationContext) => number;

/** A type without arguments. */
export function plain(genericId: string): TypeOf {
  return (context) => context.find(genericId);
}

/** A struct of the core library: its name, and its members. */
export function coreStruct(name: string, members: readonly TypeOf[]): TypeOf {
  return (context) =>
    context.find("Struct", [
      userTypeArg(name),
      ...members.map((member) => typeArg(member(context))),
    ]);
}

/** `core::array::Span` of a type; `name` is how the core library calls the type. */
export function spanOf(element: TypeOf, name: string): TypeOf {
  const array: TypeOf = (context) =>
    snapshotOf(context, wrapped(context, "Array", element(context)));
  return coreStruct(`core::array::Span::<${name}>`, [array]);
}

/** A box of a type. */
export function boxed(type: TypeOf): TypeOf {
  return (context) => boxOf(context, type(context));
}

/** A box of a tuple of `count` values of one type. */
export function boxedTuple(element: TypeOf, count: number): TypeOf {
  return (context) => boxOf(context, fixedSizeArrayOf(context, element(context), count));
}

/** A felt. */
export const FELT = plain("felt252");
/** A span of felts. */
export const FELT_SPAN = spanOf(FELT, "core::felt252");
/** An address of a contract. */
export const CONTRACT_ADDRESS = plain("ContractAddress");
/** A hash of a class. */
export const CLASS_HASH = plain("ClassHash");
/** An integer of 32 bits. */
export const U32 = plain("u32");
/** An integer of 64 bits. */
export const U64 = plain("u64");
/** An integer of 128 bits. */
export const U128 = plain("u128");
